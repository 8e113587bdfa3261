# Packs what runs on a machine with a GPU and without Java. To be sourced, after common.sh.
# shellcheck shell=bash

GPU_FOLDER=$FLUXON_ROOT/target/gpu
# Chronicle Map compiles the classes of its maps, hence the compiler.
GPU_MODULES=java.base,java.compiler,java.logging,java.management,java.naming,java.xml
GPU_MODULES+=,jdk.compiler,jdk.management,jdk.unsupported,jdk.zipfs

# Folder with a Java of its own, jar, flags, and the programs "test", "bench" and "path": pack_gpu FOLDER
pack_gpu() {
    local folder=$1
    find_jdk
    build_jar tools fluxon.jar
    mkdir -p "$folder"
    if [ ! -x "$folder/java/bin/java" ] || [ "$(cat "$folder/modules" 2> /dev/null)" != "$GPU_MODULES" ]; then
        echo "linking a Java of its own (once) ..." >&2
        rm -rf "$folder/java"
        "$JAVA_HOME/bin/jlink" --add-modules "$GPU_MODULES" --compress zip-9 --strip-java-debug-attributes \
            --no-header-files --no-man-pages --output "$folder/java" || die "jlink failed"
        echo "$GPU_MODULES" > "$folder/modules"
    fi
    cp "$FLUXON_ROOT/tools/target/fluxon.jar" "$FLUXON_ROOT/config/jvm.flags" "$folder/"
    write_gpu_program "$folder/test" io.fluxon.cuda.gpu.GpuTest
    write_gpu_program "$folder/bench" io.fluxon.cuda.gpu.GpuBench
    write_gpu_program "$folder/path" io.fluxon.tools.FluxonCli bench-path
}

# GPU_WRAPPER is put before Java: compute-sanitizer, say: write_gpu_program FILE MAIN_CLASS [ARGUMENT]
write_gpu_program() {
    cat > "$1" << END
#!/usr/bin/env bash
cd "\$(dirname "\$0")" && exec \${GPU_WRAPPER:-} java/bin/java @jvm.flags -Dfluxon.log.level=WARN -Xmx2g \\
    -cp fluxon.jar $2${3:+ $3} "\$@"
END
    chmod +x "$1"
}
