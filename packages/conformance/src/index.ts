export { check } from './engine/check.ts'
export type { CheckOptions, Progress } from './engine/options.ts'
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
} from './engine/result.ts'
export type { Law, Phase } from './engine/rule.ts'
export { type Contract, readContract } from './model/contract.ts'
export type { MechanicalFault } from './mutation/fault.ts'
export { mechanicalFaults } from './mutation/faults.ts'
export { createFetchWire } from './mutation/fetch-wire.ts'
export { type Proof, type ProveOptions, prove } from './mutation/prove.ts'
export { createProvingWire } from './mutation/proving-wire.ts'
export { serveProxy } from './mutation/proxy.ts'
export { renderProof } from './mutation/render.ts'
export type { Tried } from './mutation/try-fault.ts'
export { laws } from './rules/index.ts'
export { checkHar, HarError, type HarOptions, type HarResult } from './traffic/har.ts'
export { type WatchedFetch, type WatchOptions, watchFetch } from './traffic/watch-fetch.ts'
export { CannotRun } from './transport/cannot-run.ts'
export type { Access, Credentials } from './transport/credentials.ts'
export type { Call, Reply, Wire } from './transport/transport.ts'
