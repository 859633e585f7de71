export type { Access, Credentials } from './callers/credentials.ts'
export { type Contract, readContract } from './contract/contract.ts'
export type { Law, Phase } from './law.ts'
export { laws } from './laws/index.ts'
export { checkHar, HarError, type HarOptions, type HarResult } from './passive/har.ts'
export { type WatchedFetch, type WatchOptions, watchFetch } from './passive/watch-fetch.ts'
export type { MechanicalFault } from './prove/fault.ts'
export { mechanicalFaults } from './prove/faults.ts'
export { createFetchWire } from './prove/fetch-wire.ts'
export { type Proof, type ProveOptions, prove } from './prove/prove.ts'
export { createProvingWire } from './prove/proving-wire.ts'
export { serveProxy } from './prove/proxy.ts'
export { renderProof } from './prove/render.ts'
export type { Tried } from './prove/try-fault.ts'
export type {
  BaselinedFinding,
  Coverage,
  Evidence,
  Finding,
  Kind,
  LawResult,
  Masking,
  Result,
  Target,
  Verdict,
} from './result.ts'
export { CannotRun } from './run/cannot-run.ts'
export { check } from './run/check.ts'
export type { CheckOptions, Progress } from './run/options.ts'
export type { Call, Reply, Wire } from './wire/wire.ts'
