# Shared by the scripts: finds the tools, builds what is missing or old. To be sourced, after set -euo pipefail.
# shellcheck shell=bash

FLUXON_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
MODULES=(codecs ipc engine native-cuda jcstress tools jmh)
JAVA_MINIMUM=25
MAVEN_MINIMUM=3.8

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Major version of the Java in the given JAVA_HOME, 0 if there is none.
java_major() {
    local version=0
    if [ -x "$1/bin/java" ]; then
        version=$("$1/bin/java" -version 2>&1 | sed -n 's/^[^ ]* version "\([0-9]*\).*/\1/p' | head -n 1)
    fi
    echo "${version:-0}"
}

is_jdk() {
    [ -n "$1" ] && [ -x "$1/bin/javac" ] && [ "$(java_major "$1")" -ge "$JAVA_MINIMUM" ]
}

jdk_candidates() {
    local on_path
    echo "${JAVA_HOME:-}"
    if on_path=$(command -v javac); then
        dirname "$(dirname "$(readlink -f "$on_path")")"
    fi
    printf '%s\n' /usr/lib/jvm/* /opt/* /opt/java/* /usr/java/* /usr/local/jdk* \
        "${HOME:-/root}"/.sdkman/candidates/java/* "${HOME:-/root}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home
}

# Exports JAVA_HOME of a JDK that is new enough.
find_jdk() {
    local home
    while IFS= read -r home; do
        if is_jdk "$home"; then
            export JAVA_HOME=$home
            return
        fi
    done < <(jdk_candidates)

    die "needs a JDK $JAVA_MINIMUM or later with javac: 'apt-get install openjdk-$JAVA_MINIMUM-jdk-headless' (Debian)" \
        "or any OpenJDK $JAVA_MINIMUM build, its folder named by JAVA_HOME"
}

# Sets MVN to a Maven that is new enough.
find_maven() {
    local version
    MVN=$(command -v mvn) ||
        die "needs Maven $MAVEN_MINIMUM or later: 'apt-get install maven' (Debian) or unpack one and put its bin on the PATH"
    version=$("$MVN" --version 2> /dev/null | sed 's/\x1b\[[0-9;]*m//g' | sed -n 's/^Apache Maven \([0-9.]*\).*/\1/p')
    if [ "$(printf '%s\n' "$MAVEN_MINIMUM" "$version" | sort -V | head -n 1)" != "$MAVEN_MINIMUM" ]; then
        die "needs Maven $MAVEN_MINIMUM or later, found ${version:-none}:" \
            "'apt-get install maven' (Debian) or unpack one and put its bin on the PATH"
    fi
}

# Runs Maven in the project's root.
maven() {
    (cd "$FLUXON_ROOT" && "$MVN" -B -ntp "$@")
}

# Builds the jar of a module when it is missing or older than a source: build_jar MODULE JAR
build_jar() {
    local module=$1 jar=$FLUXON_ROOT/$1/target/$2
    if [ -f "$jar" ] && ! is_outdated "$jar"; then
        return
    fi

    find_maven
    echo "building $module (once) ..." >&2
    forget_stale_classes
    maven -q -pl "$module" -am package -DskipTests >&2 || die "the build failed"
    touch "$jar"
}

# Is there a newer source, or a folder of sources out of which something was taken? A folder is as new as its last entry.
is_outdated() {
    local newer
    newer=$(cd "$FLUXON_ROOT" && find pom.xml config/jvm.flags ./*/pom.xml ./*/generate.xml ./*/src/main ./*/src/jextract \
        -newer "$1" 2> /dev/null | head -n 1) || true
    [ -n "$newer" ]
}

# Compiled classes whose source is gone would stay in the jar.
forget_stale_classes() {
    local module
    for module in "${MODULES[@]}"; do
        if [ -n "$(cd "$FLUXON_ROOT" && find "$module"/src/main -type d -newer "$module"/target/classes 2> /dev/null |
            head -n 1)" ]; then
            rm -rf "$FLUXON_ROOT/$module/target/classes" "$FLUXON_ROOT/$module/target/maven-status"
        fi
    done
}

# Runs a Java program with the JVM flags of the project, in place of this shell.
exec_java() {
    exec "$JAVA_HOME/bin/java" "@$FLUXON_ROOT/config/jvm.flags" "$@"
}
