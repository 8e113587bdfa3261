package io.fluxon.engine.config;

/**
 * What the threads of a process do when there is nothing to do; fields of {@code idle_strategy}, each one of {@code
 * backoff}, {@code sleep}, {@code yield} and {@code busy_spin}. Default backoff.
 *
 * @param core     {@code owner} or {@code master}: thread of the owner or master core.
 * @param transfer {@code transfer}: thread that pulls values from other owners; an owner only.
 * @param checksum {@code checksum}: thread that computes checksums; an owner only.
 * @param driver   {@code driver}: thread of the embedded media driver.
 */
public record IdleConfig(
    IdleStrategyName core,
    IdleStrategyName transfer,
    IdleStrategyName checksum,
    IdleStrategyName driver)
{
    static IdleConfig readOwner(final ConfigSection section)
    {
        return new IdleConfig(
            read(section, "owner"), read(section, "transfer"), read(section, "checksum"), read(section, "driver"));
    }

    static IdleConfig readMaster(final ConfigSection section)
    {
        return new IdleConfig(
            read(section, "master"), IdleStrategyName.BACKOFF, IdleStrategyName.BACKOFF, read(section, "driver"));
    }

    private static IdleStrategyName read(final ConfigSection section, final String name)
    {
        return section.word(name, IdleStrategyName.BACKOFF, IdleStrategyName.class);
    }
}
