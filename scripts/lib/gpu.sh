# Packs what runs on a machine with a GPU and without Java. To be sourced, after common.sh.
# shellcheck shell=bash

GPU_FOLDER=$FLUXON_ROOT/target/gpu
GPU_MODULES=java.base,java.logging,java.management,jdk.unsupported

# Folder with a Java of its own, jars, flags, and the programs "test" and "bench": pack_gpu FOLDER
pack_gpu() {
    local folder=$1 module jar agrona
    find_jdk
    build_jar native-cuda fluxon-native-cuda-0.1.0-SNAPSHOT.jar
    mkdir -p "$folder/jars"
    if [ ! -x "$folder/java/bin/java" ]; then
        echo "linking a Java of its own (once) ..." >&2
        rm -rf "$folder/java"
        "$JAVA_HOME/bin/jlink" --add-modules "$GPU_MODULES" --compress zip-9 --strip-java-debug-attributes \
            --no-header-files --no-man-pages --output "$folder/java" || die "jlink failed"
    fi
    for module in codecs ipc native-cuda; do
        jar=$FLUXON_ROOT/$module/target/fluxon-$module-0.1.0-SNAPSHOT.jar
        [ -f "$jar" ] || die "no $jar: the build left it out"
        cp "$jar" "$folder/jars/"
    done
    agrona=$(find "${MAVEN_REPO:-$HOME/.m2/repository}/org/agrona/agrona" -name 'agrona-*.jar' \
        -not -name '*-sources.jar' 2> /dev/null | sort -V | tail -n 1)
    [ -n "$agrona" ] || die "no Agrona jar in ${MAVEN_REPO:-$HOME/.m2/repository}: MAVEN_REPO names another repository"
    cp "$agrona" "$folder/jars/"
    grep -v 'jdk\.compiler' "$FLUXON_ROOT/config/jvm.flags" > "$folder/jvm.flags"
    write_gpu_program "$folder/test" GpuTest
    write_gpu_program "$folder/bench" GpuBench
}

# GPU_WRAPPER is put before Java: compute-sanitizer, say.
write_gpu_program() {
    cat > "$1" << END
#!/usr/bin/env bash
cd "\$(dirname "\$0")" && exec \${GPU_WRAPPER:-} java/bin/java @jvm.flags -Xmx2g -cp 'jars/*' io.fluxon.cuda.gpu.$2 "\$@"
END
    chmod +x "$1"
}
