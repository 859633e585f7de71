/** The field that a run adds to requests, to see whether the service ignores what it does not know. */
export const UNKNOWN_FIELD = 'x_unknown'
