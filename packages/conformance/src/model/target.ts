/** The kind of service, which decides what may be sent to it. */
export type Target = 'mock' | 'sandbox' | 'live'
