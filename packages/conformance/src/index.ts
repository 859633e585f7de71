export type { Learned } from './form/service-form.ts'
export { checkHar, HarError, type HarOptions, type HarResult } from './har.ts'
export type { CheckOptions, Progress } from './options.ts'
export { type Proxy, type ProxyOptions, startProxy } from './proxy.ts'
export type { Evidence } from './report/evidence.ts'
export type { Cites as Citation, Kind, Severity, Verdict } from './report/report.ts'
export type {
  BaselinedFinding,
  Coverage,
  Finding,
  Result,
  RuleResult,
  UnknownCounts,
} from './report/result.ts'
export { rules } from './rules/index.ts'
export type { Rule } from './rules/rule.ts'
export { check } from './run.ts'
export type { Access, Credentials } from './send/credentials.ts'
export type { Target } from './send/guard.ts'
export {
  CannotRun,
  fetchTransport as createFetchTransport,
  type Transport,
} from './send/transport.ts'
export { type WatchedFetch, type WatchOptions, watchFetch } from './watch.ts'
