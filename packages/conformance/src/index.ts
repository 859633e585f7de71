export { check } from './check.ts'
export type { CheckOptions, Progress } from './engine/check-options.ts'
export type {
  BaselinedFinding,
  Coverage,
  Evidence,
  Finding,
  InconclusiveReason,
  Kind,
  Result,
  RuleResult,
  Verdict,
} from './engine/result.ts'
export type { Phase, Rule } from './engine/rule.ts'
export { type Contract, type ContractFault, readContract } from './model/contract.ts'
export { CannotRun } from './model/errors.ts'
export type { HttpRequest, HttpResponse } from './model/http.ts'
export type { Target } from './model/target.ts'
export { rules } from './rules.ts'
export { checkHar, HarError, type HarOptions, type HarResult } from './traffic/har.ts'
export { type WatchedFetch, type WatchOptions, watchFetch } from './traffic/watch-fetch.ts'
export type { Access, Credentials } from './transport/credentials.ts'
export { createFetchTransport } from './transport/fetch-transport.ts'
export type { Transport } from './transport/transport.ts'
