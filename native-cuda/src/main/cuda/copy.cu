// Copy kernels. They execute the command that io.fluxon.cuda.kernel.CopyCommand lays out; HostKernel is their twin.
// Built into PTX by scripts/ptx; CopyPtxTest checks that the PTX beside the classes is of this file.

#include <cstddef>
#include <cstdint>

namespace fluxon
{
constexpr unsigned MAX_SECTIONS = 8;
constexpr unsigned WARP = 32;
constexpr unsigned SOURCE = 0;
constexpr unsigned TARGET = 1;
constexpr uint64_t PLAN_MAGIC = 0x4658504C414E5631ull;

// what a kernel refuses: CopyStatus of the driver package
constexpr uint32_t NO_PLAN = 1;
constexpr uint32_t NULL_VALUE = 2;
constexpr uint32_t NULL_LAYER = 3;
constexpr uint32_t NO_PAGE = 4;

struct Strides
{
    uint64_t page, token, offset, layer, outer, inner;
};

struct Section
{
    uint32_t firstFragment, layers, outerRows, innerRows;
    uint64_t rowBytes;
    Strides strides[2];
};

struct Side
{
    uint64_t plan, planCount, first, indices;
    uint32_t indexBytes, indexTokens;
    uint64_t base, layers;
};

struct Command
{
    uint32_t pageCount, sectionCount;
    uint64_t status, lengths;
    uint32_t flags, unused;
    Side sides[2];
    Section sections[MAX_SECTIONS];
};

static_assert(sizeof(Strides) == 48 && sizeof(Section) == 120 && sizeof(Side) == 56, "as CopyCommand");
static_assert(offsetof(Command, sides) == 32 && offsetof(Command, sections) == 144, "as CopyCommand");
static_assert(sizeof(Command) == 1104, "as CopyCommand");

// A command in the parameters of a launch, with the tables it names behind it, as far as LaunchBlock put them there: an
// address below the block's length is an offset in it.
struct Launch
{
    Command command;
    uint64_t words[373];
};

static_assert(sizeof(Launch) == 4088, "as LaunchBlock; 4 KiB of parameters with the length of a piece");

template <typename T>
__device__ __forceinline__ const T *at(const uint64_t address)
{
    return reinterpret_cast<const T *>(address);
}

template <typename T>
__device__ __forceinline__ const T *table(const Command &command, const uint64_t address)
{
    return address < sizeof(Launch) ?
        reinterpret_cast<const T *>(reinterpret_cast<const char *>(&command) + address) : at<T>(address);
}

__device__ __forceinline__ int64_t indexOf(const Command &command, const Side &side, const uint32_t page)
{
    const uint64_t position = side.first + page;
    if (0 == side.indices)
    {
        return static_cast<int64_t>(position);
    }
    return 4 == side.indexBytes ?
        table<int32_t>(command, side.indices)[position] : table<int64_t>(command, side.indices)[position];
}

__device__ __forceinline__ uint64_t pageAddress(
    const Command &command, const Side &side, const Strides &strides, const uint32_t page)
{
    if (0 != side.plan)
    {
        return table<uint64_t>(command, side.plan)[2 + side.first + page];
    }
    const uint64_t index = static_cast<uint64_t>(indexOf(command, side, page));
    if (1 == side.indexTokens)
    {
        return index * strides.page;
    }
    return index / side.indexTokens * strides.page + index % side.indexTokens * strides.token;
}

__device__ __forceinline__ uint64_t rowAddress(
    const Command &command,
    const Side &side,
    const Section &section,
    const Strides &strides,
    const uint32_t page,
    const uint32_t layer,
    const uint32_t outer,
    const uint32_t inner)
{
    const uint64_t layerAddress =
        0 == side.layers ? 0 : table<uint64_t>(command, side.layers)[section.firstFragment + layer];
    return side.base + layerAddress + strides.offset + layer * strides.layer + outer * strides.outer +
        inner * strides.inner + pageAddress(command, side, strides, page);
}

template <typename V>
__device__ __forceinline__ void copyVectors(
    const uint64_t target, const uint64_t source, const uint64_t bytes, const unsigned lane)
{
    const V *const from = at<V>(source);
    V *const to = reinterpret_cast<V *>(target);
    const uint64_t count = bytes / sizeof(V);
    uint64_t i = lane;
    for (; i + 3 * WARP < count; i += 4 * WARP)
    {
        const V a = __ldcs(from + i);
        const V b = __ldcs(from + i + WARP);
        const V c = __ldcs(from + i + 2 * WARP);
        const V d = __ldcs(from + i + 3 * WARP);
        __stcs(to + i, a);
        __stcs(to + i + WARP, b);
        __stcs(to + i + 2 * WARP, c);
        __stcs(to + i + 3 * WARP, d);
    }
    for (; i < count; i += WARP)
    {
        __stcs(to + i, __ldcs(from + i));
    }
    for (uint64_t tail = count * sizeof(V) + lane; tail < bytes; tail += WARP)
    {
        reinterpret_cast<unsigned char *>(target)[tail] = at<unsigned char>(source)[tail];
    }
}

__device__ __forceinline__ void copyPiece(
    const uint64_t target, const uint64_t source, const uint64_t bytes, const unsigned lane)
{
    const uint64_t alignment = target | source;
    if (0 == (alignment & 15))
    {
        copyVectors<uint4>(target, source, bytes, lane);
    }
    else if (0 == (alignment & 7))
    {
        copyVectors<uint2>(target, source, bytes, lane);
    }
    else if (0 == (alignment & 3))
    {
        copyVectors<unsigned>(target, source, bytes, lane);
    }
    else
    {
        copyVectors<unsigned char>(target, source, bytes, lane);
    }
}

// All threads of a block look at all pages and layers: every block comes to the same answer, before it writes.
__device__ uint32_t refusal(const Command &command)
{
    uint32_t reason = 0;
    for (unsigned s = 0; s < 2; s++)
    {
        const Side &side = command.sides[s];
        const uint64_t *const plan = table<uint64_t>(command, side.plan);
        const bool isPlan = 0 != side.plan && PLAN_MAGIC == plan[0] && side.planCount == plan[1] &&
            side.first + command.pageCount <= side.planCount;
        if (0 != side.plan && !isPlan)
        {
            reason = NO_PLAN;
        }
        if (isPlan || 0 != side.indices)
        {
            for (uint32_t page = threadIdx.x; page < command.pageCount; page += blockDim.x)
            {
                if (isPlan && 0 == plan[2 + side.first + page])
                {
                    reason = NULL_VALUE;
                }
                if (!isPlan && 0 == side.plan && indexOf(command, side, page) < 0)
                {
                    reason = NO_PAGE;
                }
            }
        }
        for (uint32_t i = 0; 0 != side.layers && i < command.sectionCount; i++)
        {
            const Section &section = command.sections[i];
            for (uint32_t layer = threadIdx.x; layer < section.layers; layer += blockDim.x)
            {
                if (0 == table<uint64_t>(command, side.layers)[section.firstFragment + layer])
                {
                    reason = NULL_LAYER;
                }
            }
        }
    }
    return reason;
}

__device__ __forceinline__ bool isRefused(const Command &command)
{
    const uint32_t reason = refusal(command);
    if (0 != reason && 0 != command.status)
    {
        *reinterpret_cast<volatile uint32_t *>(command.status) = reason;
    }
    return 0 != __syncthreads_or(static_cast<int>(reason));
}

__device__ __forceinline__ uint64_t piecesOf(const Section &section, const uint32_t pieceBytes)
{
    return (section.rowBytes + pieceBytes - 1) / pieceBytes;
}

__device__ __forceinline__ void copyItem(
    const Command &command,
    const uint32_t page,
    uint64_t item,
    const uint32_t pieceBytes,
    const unsigned lane)
{
    uint32_t s = 0;
    uint64_t pieces = 0;
    for (;; s++)
    {
        const Section &candidate = command.sections[s];
        pieces = piecesOf(candidate, pieceBytes);
        const uint64_t items = pieces * candidate.layers * candidate.outerRows * candidate.innerRows;
        if (item < items)
        {
            break;
        }
        item -= items;
    }
    const Section &section = command.sections[s];
    const uint64_t offset = item % pieces * pieceBytes;
    const uint64_t row = item / pieces;
    const uint32_t inner = static_cast<uint32_t>(row % section.innerRows);
    const uint32_t outer = static_cast<uint32_t>(row / section.innerRows % section.outerRows);
    const uint32_t layer = static_cast<uint32_t>(row / section.innerRows / section.outerRows);
    const uint64_t rowBytes = 0 == command.lengths ? section.rowBytes : at<uint64_t>(command.lengths)[page];
    if (offset >= rowBytes)
    {
        return;
    }
    const uint64_t source =
        rowAddress(command, command.sides[SOURCE], section, section.strides[SOURCE], page, layer, outer, inner);
    const uint64_t target =
        rowAddress(command, command.sides[TARGET], section, section.strides[TARGET], page, layer, outer, inner);
    const uint64_t left = rowBytes - offset;
    copyPiece(target + offset, source + offset, left < pieceBytes ? left : pieceBytes, lane);
}

__device__ __forceinline__ void execute(const Command &command, const uint32_t pieceBytes)
{
    uint64_t itemsOfPage = 0;
    for (uint32_t i = 0; i < command.sectionCount; i++)
    {
        const Section &section = command.sections[i];
        itemsOfPage += piecesOf(section, pieceBytes) * section.layers * section.outerRows * section.innerRows;
    }
    const uint64_t items = itemsOfPage * command.pageCount;
    const unsigned lane = threadIdx.x % WARP;
    const uint64_t warps = static_cast<uint64_t>(gridDim.x) * (blockDim.x / WARP);
    for (uint64_t i = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP; i < items; i += warps)
    {
        copyItem(command, static_cast<uint32_t>(i / itemsOfPage), i % itemsOfPage, pieceBytes, lane);
    }
}
}

using namespace fluxon;

// One command, in the parameters of the launch.
extern "C" __global__ void __launch_bounds__(1024)
fluxon_copy(const __grid_constant__ Launch launch, const uint32_t pieceBytes)
{
    if (!isRefused(launch.command))
    {
        execute(launch.command, pieceBytes);
    }
}

// Many commands, they and their addresses in memory that the device can read, one for each gridDim.y.
extern "C" __global__ void __launch_bounds__(1024)
fluxon_copy_batch(const uint64_t *const commands, const uint32_t pieceBytes)
{
    __shared__ Command command;
    const uint64_t *const from = at<uint64_t>(commands[blockIdx.y]);
    uint64_t *const to = reinterpret_cast<uint64_t *>(&command);
    for (unsigned i = threadIdx.x; i < sizeof(Command) / sizeof(uint64_t); i += blockDim.x)
    {
        to[i] = from[i];
    }
    __syncthreads();
    if (!isRefused(command))
    {
        execute(command, pieceBytes);
    }
}
