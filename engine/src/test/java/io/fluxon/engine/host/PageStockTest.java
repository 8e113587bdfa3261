package io.fluxon.engine.host;

import io.fluxon.engine.boundary.PageSource;
import io.fluxon.engine.memory.HugeMemory;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PageStockTest implements PageSource
{
    private final PageStock stock = new PageStock(this);
    private int open;

    @AfterEach
    void close()
    {
        stock.onClose();
    }

    @Test
    void shouldKeepNoPageWhenNoneWasEverAskedFor()
    {
        assertThat(stock.doWork()).isZero();
        assertThat(stock.size()).isZero();
    }

    @Test
    void shouldHavePagesReadyWhenOneWasAskedFor()
    {
        final long first = stock.take();
        int made = 0;
        while (stock.doWork() > 0)
        {
            made++;
        }

        assertThat(made).isEqualTo(PageStock.CAPACITY);
        assertThat(stock.size()).isEqualTo(PageStock.CAPACITY);
        final long second = stock.take();
        assertThat(stock.size()).isEqualTo(PageStock.CAPACITY - 1);
        assertThat(second).isNotEqualTo(first);
        assertThat(second % PageSource.PAGE_LENGTH).isZero();
        for (int i = 0; i < PageSource.PAGE_LENGTH; i += Long.BYTES)
        {
            assertThat(UnsafeApi.getLong(second + i)).isZero();
        }
        assertThat(stock.doWork()).isOne();
        stock.giveBack(first);
        stock.giveBack(second);
    }

    @Test
    void shouldGiveAPageWhenNoneIsReady()
    {
        for (int i = 0; i < 2 * PageStock.CAPACITY; i++)
        {
            final long page = stock.take();
            UnsafeApi.putLong(page, i);
            assertThat(page % PageSource.PAGE_LENGTH).isZero();
            stock.giveBack(page);
        }
    }

    @Test
    void shouldKeepNoPageWhenItIsClosed()
    {
        stock.giveBack(stock.take());
        stock.doWork();
        stock.onClose();

        assertThat(stock.size()).isZero();
        assertThat(stock.doWork()).isZero();
        assertThat(open).isZero();
    }

    /** A page that nobody has cleared. */
    @Override
    public long take()
    {
        open++;
        final long page = HugeMemory.INSTANCE.take();
        UnsafeApi.setMemory(page, PAGE_LENGTH, (byte)-1);
        return page;
    }

    @Override
    public void giveBack(final long address)
    {
        open--;
        HugeMemory.INSTANCE.giveBack(address);
    }
}
