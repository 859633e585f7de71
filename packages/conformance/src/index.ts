export { type CheckOptions, check } from './check.ts'
export { checkHar, HarError, type HarOptions, type HarResult } from './har.ts'
export { type Proxy, type ProxyOptions, startProxy } from './proxy.ts'
export type {
  BaselinedFinding,
  Citation,
  Coverage,
  Evidence,
  Finding,
  Kind,
  Result,
  RuleResult,
  Severity,
  Verdict,
} from './report/result.ts'
export { rules } from './rules/index.ts'
export type { Rule } from './rules/rule.ts'
export type { Progress } from './run.ts'
export { CannotRun } from './send/errors.ts'
export type { Target } from './send/guard.ts'
export type { Access, Credentials } from './send/identities.ts'
export { fetchTransport as createFetchTransport, type Transport } from './send/transport.ts'
export { type WatchedFetch, type WatchOptions, watchFetch } from './watch.ts'
