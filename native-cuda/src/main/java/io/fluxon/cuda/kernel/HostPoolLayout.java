package io.fluxon.cuda.kernel;

/**
 * How SGLang's host pools order the bytes of one part (K, V, the latent rows, a state): P tokens a page, H heads.
 */
public enum HostPoolLayout
{
    /** [layer][page][token][head] */
    LAYER_FIRST,
    /** [page][token][layer][head] */
    PAGE_FIRST,
    /** [page][layer][token][head] */
    PAGE_FIRST_DIRECT,
    /** [page][head][token][layer] */
    PAGE_HEAD
}
