/** What a target can be asked. */
export type Target = 'mock' | 'sandbox' | 'live'
