import type { Contract } from '../contract/contract.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Rule } from '../rules/rule.ts'
import { createCoverage } from './coverage.ts'
import { createShower, signInCommands } from './evidence.ts'
import type { Found, Verdict as Judged, Summary } from './report.ts'
import type { Citation, Finding, Result, RuleResult, Verdict } from './result.ts'

/** Collects what a result needs of each exchange, and builds it. */
export interface ResultBuilder {
  see(exchange: Exchange): void
  /** A finding as reports show it. */
  finding(found: Found): Finding
  build(summary: Summary & { readonly forgotten: number }, about: About): Result
}

interface BuilderOptions {
  readonly contract: Contract
  readonly rules: readonly Rule[]
  /** Base URL of the service, without a trailing slash. */
  readonly base: string
  /** OperationIds that coverage counts. Default: all. */
  readonly operations?: readonly string[] | undefined
  readonly partner?: Parameters<typeof createShower>[0]['partner']
  readonly other?: Parameters<typeof createShower>[0]['partner']
}

type About = Pick<Result, 'target' | 'seed' | 'startedAt' | 'ms' | 'requests' | 'notSent' | 'leftovers'> & {
  /** Rules that a plan wanted a case of, and that had none. */
  readonly inconclusive: readonly string[]
  readonly interrupted?: string | undefined
}

export function createResultBuilder(options: BuilderOptions): ResultBuilder {
  const { contract, rules, base, operations, partner, other } = options
  const shower = createShower({ base, ...(partner && { partner }), ...(other && { other }) })
  const coverage = createCoverage(contract, operations)
  const finding = (found: Found) => findingOf(found, options, shower)
  return {
    see(exchange) {
      shower.see(exchange)
      coverage.see(exchange)
    },
    finding,
    build(summary, { inconclusive, interrupted, ...about }) {
      const findings = summary.findings.map(finding)
      const results = rules.map((it) => ruleResult(it, { summary, findings, inconclusive }))
      return {
        ...about,
        url: `${base}/`,
        contract: contract.info,
        ...(interrupted !== undefined && { interrupted }),
        cases: results.reduce((sum, { cases }) => sum + cases, 0),
        rules: results,
        findings,
        baselined: [],
        verdicts: verdictsOf(contract, summary.verdicts, shower.text),
        coverage: coverage.result(),
        changedElsewhere: summary.changedElsewhere,
        forgotten: summary.forgotten,
        signIn: signInCommands(base, other !== undefined),
      }
    },
  }
}

function findingOf(
  { evidence, message, cites, ...found }: Found,
  { contract, rules }: BuilderOptions,
  { text, evidence: show }: ReturnType<typeof createShower>,
): Finding {
  const operation = contract.operations.find(({ id, isAlias }) => id === found.operation && !isAlias)
  return {
    ...found,
    message: text(message),
    cites: citationOf(cites, contract),
    advice: rules.find(({ id }) => id === found.rule)?.advice ?? '',
    contract: 'pointer' in cites ? cites.pointer : (operation?.of.pointer ?? ''),
    question: 'question' in cites ? cites.question : undefined,
    evidence: show(evidence),
  }
}

function citationOf(cites: Found['cites'], { sections }: Contract): Citation {
  return 'fact' in cites ? { ...cites, section: sections.get(cites.fact) ?? '' } : cites
}

interface Judgements {
  readonly summary: Summary
  readonly findings: readonly Finding[]
  readonly inconclusive: readonly string[]
}

function ruleResult({ id, says, advice }: Rule, { summary, findings, inconclusive }: Judgements): RuleResult {
  const { passed = 0, failed = 0 } = summary.cases.get(id) ?? {}
  const isFailed = findings.some(({ rule }) => rule === id)
  const none = inconclusive.includes(id) ? 'inconclusive' : 'not-assessed'
  const status = isFailed ? 'failed' : passed + failed > 0 ? 'passed' : none
  return { rule: id, says, advice, subject: id.split('-', 1)[0] ?? id, status, cases: passed + failed }
}

/** One for each open question of the contract. */
function verdictsOf(
  { questions }: Contract,
  judged: readonly Judged[],
  text: (it: string) => string,
): Verdict[] {
  return Object.entries(questions).map(([question, { question: asked, assumption, basis }]) => {
    const {
      verdict = 'not-exercised',
      seen,
      exercised = 0,
    } = judged.find((it) => it.question === question) ?? {}
    const observed = seen === undefined ? undefined : text(seen)
    return { question, text: asked, assumption, basis, verdict, seen: observed, exercised }
  })
}
