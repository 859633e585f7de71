import type { Actors } from './actors.ts'

/** What is looked at, what is to be seen at the right service, and what at the faulty one. */
export type Probe = readonly [see: (as: Actors) => Promise<unknown>, right: unknown, wrong: unknown]
