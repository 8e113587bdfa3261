package io.fluxon.cuda.driver;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class CudaLibraryTest
{
    @Test
    void shouldSayInOneLineWhatIsMissingWhenThereIsNoDriver()
    {
        assumeTrue(null != CudaLibrary.problem(), "there is a device here");

        assertThat(CudaLibrary.problem()).doesNotContain("\n").containsAnyOf("libcuda.so.1", "CUDA");
        assertThat(CudaLibrary.deviceCount()).isZero();
    }

    @Test
    void shouldRefuseAContextWithTheSameWordsWhenThereIsNoDriver()
    {
        assumeTrue(null != CudaLibrary.problem(), "there is a device here");

        assertThatThrownBy(() -> new CudaContext(0))
            .isInstanceOf(IllegalStateException.class).hasMessage(CudaLibrary.problem());
    }
}
