export type { Coverage, Evidence, Finding, Kind, LawResult, Result, Target, Verdict } from './result.ts'
