/**
 * Statuses of refusals that do not depend on the content of a request: credentials (401, 403), the
 * method (405), the time it took (408), the size (413) or the media type (415) of its body, and the
 * number of requests (429).
 */
export const OF_NO_CONTENT: readonly number[] = [401, 403, 405, 408, 413, 415, 429]
