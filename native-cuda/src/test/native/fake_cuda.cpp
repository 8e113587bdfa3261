// A libcuda.so.1 without a device, for tests: device memory is host memory, kernels are those of copy.cu, run thread by
// thread. Streams run late, in random order among those whose next operation need not wait: what does not wait for what
// it needs goes wrong here soon. Calls in a thread whose current context is not the device's are refused. FAKE_CUDA_SEED
// chooses the order, FAKE_CUDA_REFUSED the one registration that fails, FAKE_CUDA_NO_MEMORY the one allocation; with
// FAKE_CUDA_LEFT it says at the end what was not given back.
// Built by FakeDeviceTest: g++ -std=c++17 -O2 -shared -fPIC -I FOLDER_OF_COPY_CU -o libcuda.so.1 fake_cuda.cpp

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

struct Dim { unsigned x = 1, y = 1, z = 1; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct alignas(8) uint2 { unsigned x, y; };
static Dim gridDim, blockDim, blockIdx, threadIdx;

// A block runs three times, up to its first barrier, up to its vote, and to its end: barriers hold for all its threads.
enum Phase { TO_BARRIER, TO_VOTE, TO_END };
static Phase phase;
static int votes;
static std::jmp_buf stopped;

static void __syncthreads()
{
    if (TO_BARRIER == phase)
    {
        std::longjmp(stopped, 1);
    }
}

static int __syncthreads_or(const int vote)
{
    if (TO_END != phase)
    {
        votes |= vote;
        std::longjmp(stopped, 1);
    }
    return votes;
}
template <typename T> static T __ldcs(const T *const from) { return *from; }
template <typename T> static void __stcs(T *const to, const T value) { *to = value; }

#define __device__
#define __global__
#define __shared__ static
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(n)
#include "copy.cu"

namespace
{
enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500,
    NOT_READY = 600, ALREADY_REGISTERED = 712, NOT_REGISTERED = 713 };

struct Event { uint64_t recorded = 0, done = 0; };
struct Operation { std::function<void()> run; Event *event = nullptr; uint64_t version = 0; };
struct Stream { std::deque<Operation> operations; };

std::vector<Stream *> streams;
std::map<uint64_t, uint64_t> registered, allocated;
std::recursive_mutex mutex;
thread_local std::vector<void *> contexts;
int events = 0, modules = 0;
std::mt19937_64 chance(getenv("FAKE_CUDA_SEED") ? strtoull(getenv("FAKE_CUDA_SEED"), nullptr, 10) : 1);

bool isIn(const std::map<uint64_t, uint64_t> &ranges, const uint64_t address, const uint64_t bytes)
{
    auto range = ranges.upper_bound(address);
    return range != ranges.begin() && (--range, address + bytes <= range->first + range->second);
}

bool isKnown(const uint64_t address, const uint64_t bytes)
{
    return isIn(registered, address, bytes) || isIn(allocated, address, bytes);
}

bool isRunnable(const Operation &operation)
{
    return nullptr == operation.event || operation.event->done >= operation.version;
}

bool step()
{
    std::vector<Stream *> ready;
    for (Stream *const stream : streams)
    {
        if (!stream->operations.empty() && isRunnable(stream->operations.front()))
        {
            ready.push_back(stream);
        }
    }
    if (ready.empty())
    {
        return false;
    }
    Stream *const stream = ready[chance() % ready.size()];
    const Operation operation = stream->operations.front();
    stream->operations.pop_front();
    if (operation.run)
    {
        operation.run();
    }
    return true;
}

struct Left
{
    ~Left()
    {
        if (getenv("FAKE_CUDA_LEFT"))
        {
            printf("left: %zu streams, %d events, %d modules, %zu allocations, %zu registrations\n", streams.size(),
                events, modules, allocated.size(), registered.size());
            fflush(stdout);
        }
    }
} left;

bool isWrongContext() { return contexts.empty() || contexts.back() != &streams; }

void push(void *const stream, std::function<void()> run)
{
    static_cast<Stream *>(stream)->operations.push_back({std::move(run)});
}

void forEachThread(const Phase until, const std::function<void()> &kernel)
{
    phase = until;
    votes = TO_VOTE == until ? 0 : votes;
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
    {
        if (0 == setjmp(stopped))
        {
            kernel();
        }
    }
}

void forEachBlock(const unsigned x, const unsigned y, const unsigned threads, const std::function<void()> &kernel)
{
    gridDim = {x, y, 1};
    blockDim = {threads, 1, 1};
    for (blockIdx.y = 0; blockIdx.y < y; blockIdx.y++)
    {
        for (blockIdx.x = 0; blockIdx.x < x; blockIdx.x++)
        {
            forEachThread(TO_BARRIER, kernel);
            forEachThread(TO_VOTE, kernel);
            forEachThread(TO_END, kernel);
        }
    }
}
}

#define IN_CONTEXT const std::lock_guard<std::recursive_mutex> guard(mutex); if (isWrongContext()) return INVALID_CONTEXT;

extern "C"
{
int cuInit(unsigned) { return SUCCESS; }
int cuDriverGetVersion(int *v) { *v = 13000; return SUCCESS; }
int cuDeviceGetCount(int *n) { *n = 1; return SUCCESS; }
int cuDeviceGet(int *d, int) { *d = 0; return SUCCESS; }
int cuDeviceGetName(char *name, int length, int) { strncpy(name, "fake device", length); return SUCCESS; }
int cuDeviceGetAttribute(int *v, int, int) { *v = 1; return SUCCESS; }
int cuDevicePrimaryCtxRetain(void **c, int) { *c = &streams; return SUCCESS; }
int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }

int cuCtxSetCurrent(void *context)
{
    if (!contexts.empty()) contexts.pop_back();
    if (nullptr != context) contexts.push_back(context);
    return SUCCESS;
}

int cuCtxGetCurrent(void **context) { *context = contexts.empty() ? nullptr : contexts.back(); return SUCCESS; }
int cuCtxPushCurrent_v2(void *context) { contexts.push_back(context); return SUCCESS; }

int cuCtxPopCurrent_v2(void **context)
{
    if (contexts.empty()) return INVALID_CONTEXT;
    *context = contexts.back();
    contexts.pop_back();
    return SUCCESS;
}

int cuCtxSynchronize() { IN_CONTEXT while (step()) {} return SUCCESS; }

int cuGetErrorName(int code, const char **name)
{
    static const std::map<int, const char *> names = {{INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
        {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"}, {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
        {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"}, {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
        {ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
        {NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"}};
    const auto found = names.find(code);
    *name = found == names.end() ? nullptr : found->second;
    return found == names.end() ? INVALID_VALUE : SUCCESS;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    IN_CONTEXT
    static const int refused = getenv("FAKE_CUDA_NO_MEMORY") ? atoi(getenv("FAKE_CUDA_NO_MEMORY")) : 0;
    static int calls = 0;
    if (++calls == refused) return OUT_OF_MEMORY;
    void *memory = nullptr;
    if (0 != posix_memalign(&memory, 512, bytes)) return OUT_OF_MEMORY;
    *address = reinterpret_cast<uint64_t>(memory);
    allocated[*address] = bytes;
    return SUCCESS;
}

int cuMemFree_v2(uint64_t address)
{
    IN_CONTEXT
    if (0 == allocated.erase(address)) return INVALID_VALUE;
    free(reinterpret_cast<void *>(address));
    return SUCCESS;
}

int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned)
{
    IN_CONTEXT
    static const int refused = getenv("FAKE_CUDA_REFUSED") ? atoi(getenv("FAKE_CUDA_REFUSED")) : 0;
    static int calls = 0;
    if (++calls == refused) return OUT_OF_MEMORY;
    const uint64_t address = reinterpret_cast<uint64_t>(memory);
    for (const auto &range : registered)
    {
        if (address < range.first + range.second && range.first < address + bytes) return ALREADY_REGISTERED;
    }
    registered[address] = bytes;
    return SUCCESS;
}

int cuMemHostUnregister(void *memory)
{
    IN_CONTEXT
    return registered.erase(reinterpret_cast<uint64_t>(memory)) ? SUCCESS : NOT_REGISTERED;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    IN_CONTEXT
    if (!isIn(allocated, to, bytes)) return INVALID_VALUE;
    memcpy(reinterpret_cast<void *>(to), from, bytes);
    return SUCCESS;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    IN_CONTEXT
    if (!isIn(allocated, from, bytes)) return INVALID_VALUE;
    memcpy(to, reinterpret_cast<void *>(from), bytes);
    return SUCCESS;
}

int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    IN_CONTEXT
    if (!isKnown(to, bytes) || !isKnown(from, bytes)) return INVALID_VALUE;
    push(stream, [=] { memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes); });
    return SUCCESS;
}

int cuMemcpyBatchAsync_v2(
    uint64_t *to, uint64_t *from, size_t *bytes, size_t count, void *, size_t *, size_t, void *stream)
{
    IN_CONTEXT
    if (0 == count) return INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
    {
        if (!isKnown(to[i], bytes[i]) || !isKnown(from[i], bytes[i]) || 0 == bytes[i]) return INVALID_VALUE;
    }
    for (size_t i = 0; i < count; i++)
    {
        cuMemcpyAsync(to[i], from[i], bytes[i], stream);
    }
    return SUCCESS;
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream)
{
    IN_CONTEXT
    push(stream, [=] { memset(reinterpret_cast<void *>(to), value, bytes); });
    return SUCCESS;
}

int cuStreamCreateWithPriority(void **stream, unsigned, int)
{
    IN_CONTEXT
    streams.push_back(new Stream);
    *stream = streams.back();
    return SUCCESS;
}

int cuStreamDestroy_v2(void *stream)
{
    IN_CONTEXT
    for (size_t i = 0; i < streams.size(); i++)
    {
        if (streams[i] == stream)
        {
            streams.erase(streams.begin() + static_cast<long>(i));
            delete static_cast<Stream *>(stream);
            return SUCCESS;
        }
    }
    return INVALID_HANDLE;
}

int cuStreamSynchronize(void *stream)
{
    IN_CONTEXT
    while (!static_cast<Stream *>(stream)->operations.empty() && step()) {}
    return SUCCESS;
}

int cuStreamWaitEvent(void *stream, void *event, unsigned)
{
    IN_CONTEXT
    Event *const e = static_cast<Event *>(event);
    static_cast<Stream *>(stream)->operations.push_back({nullptr, e, e->recorded});
    return SUCCESS;
}

int cuEventCreate(void **event, unsigned) { IN_CONTEXT events++; *event = new Event; return SUCCESS; }
int cuEventDestroy_v2(void *event) { IN_CONTEXT events--; delete static_cast<Event *>(event); return SUCCESS; }

int cuEventRecord(void *event, void *stream)
{
    IN_CONTEXT
    Event *const e = static_cast<Event *>(event);
    const uint64_t version = ++e->recorded;
    push(stream, [=] { e->done = version > e->done ? version : e->done; });
    return SUCCESS;
}

int cuEventQuery(void *event)
{
    IN_CONTEXT
    Event *const e = static_cast<Event *>(event);
    for (uint64_t i = chance() % 4; i > 0; i--) step();
    return e->done >= e->recorded ? SUCCESS : NOT_READY;
}

int cuEventSynchronize(void *event)
{
    IN_CONTEXT
    Event *const e = static_cast<Event *>(event);
    while (e->done < e->recorded && step()) {}
    return SUCCESS;
}

int cuEventElapsedTime_v2(float *millis, void *, void *) { IN_CONTEXT *millis = 1; return SUCCESS; }
int cuModuleLoadData(void **module, const void *) { IN_CONTEXT modules++; *module = &streams; return SUCCESS; }
int cuModuleUnload(void *) { IN_CONTEXT modules--; return SUCCESS; }

int cuModuleGetFunction(void **function, void *, const char *name)
{
    IN_CONTEXT
    static char kernels[2];
    const std::string kernel = name;
    *function = &kernels["fluxon_copy" == kernel ? 0 : 1];
    static_cast<char *>(*function)[0] = "fluxon_copy" == kernel ? 'o' : 'm';
    return "fluxon_copy" == kernel || "fluxon_copy_batch" == kernel ? SUCCESS : NOT_FOUND;
}

int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned, unsigned, unsigned,
    void *stream, void **parameters, void **)
{
    IN_CONTEXT
    if (0 == x || 0 == y || 65535 < y || 1 != z || 0 == threads || 1024 < threads) return INVALID_VALUE;
    const uint32_t pieceBytes = *static_cast<uint32_t *>(parameters[1]);
    if ('o' == *static_cast<char *>(function))
    {
        const Launch launch = *static_cast<Launch *>(parameters[0]);
        push(stream, [=] { forEachBlock(x, y, threads, [&] { fluxon_copy(launch, pieceBytes); }); });
    }
    else
    {
        const uint64_t *const commands = *static_cast<uint64_t **>(parameters[0]);
        push(stream, [=] { forEachBlock(x, y, threads, [&] { fluxon_copy_batch(commands, pieceBytes); }); });
    }
    return SUCCESS;
}
}
