import { createHash } from 'node:crypto'
import type { Contract, DeclaredQuestion } from '../contract/contract.ts'
import type { RecordedDelivery } from '../history.ts'
import { Bounded } from '../model/bounded.ts'
import { type Exchange, withoutResponse } from '../model/exchange.ts'
import { createSightings, type Seen, type Sighting } from './sightings.ts'
import { atMost, oneLine } from './text.ts'

/** What shows a case. */
export type Evidence = Exchange | RecordedDelivery

interface Declared {
  /** The entry of spec/behaviour that says so, such as `/invariants/final-amount`. */
  readonly entry?: string | undefined
}

/**
 * What a case or a finding rests on. A fact makes a failure; an open question, a standard or the
 * service itself makes a deviation.
 */
export type Cites =
  /** A statement of the source document; a finding names its section. */
  | ({ readonly fact: string; readonly section?: string } & Declared)
  /** A node of the contract without an open question. */
  | { readonly pointer: string }
  | ({
      readonly question: string
      readonly statement?: string | undefined
      /** Where and when it was observed, if it is no assumption any more. Of findings alone. */
      readonly observed?: string
    } & Declared)
  | { readonly standard: string }
  | { readonly own: EarlierResponse }

/**
 * What the service itself showed or refused. What contradicts it is critical, since such a rule is
 * about money or access, and the service cannot mean both.
 */
export interface EarlierResponse {
  readonly operation: string | undefined
  /** The `x-request-id` of the response. */
  readonly requestId: string | undefined
  /** What it showed or refused, such as `checkCode refused the code`. */
  readonly says: string
}

export const SEVERITIES = ['critical', 'error', 'warning', 'note'] as const

/**
 * `critical`: another partner's record is reached, money moves twice, the service fails, or it
 * contradicts itself about money or access.
 * `error`: any other failure. `warning`: a deviation that puts money or access at stake. `note`:
 * any other deviation.
 */
export type Severity = (typeof SEVERITIES)[number]

/**
 * A failure contradicts a fact. A deviation differs from an assumption, from a standard that the
 * contract does not name, or from what the service itself showed or refused.
 */
export type Kind = 'failure' | 'deviation'

/** What a rule reports: cases that passed and cases that failed. */
export interface Report {
  /**
   * A case that passed if it holds, and failed otherwise. The sentence says what was seen and what
   * was expected. It is built for a failed case only.
   */
  expect(holds: boolean, about: Case, sentence: () => string): void
  /** @param value A value of an enumeration that was accepted. */
  passed(event: Evidence, cites: Cites, value?: string): void
  failed(event: Evidence, cites: Cites, message: string, at?: At): void
  /** Notes what was seen of an open question. It is no case. */
  saw(seen: Seen): void
  /** A record changed without a request of the history, which only a complete history excludes. */
  changedElsewhere(): void
}

interface At {
  /** The operation that the finding names. Default: that of the event. */
  readonly operation?: string | undefined
  /** Whether the finding concerns no single operation, so that it names none. Default: false. */
  readonly isOfAll?: true
  /** The keyword of the contract that was broken: a JSON pointer (RFC 6901) into the bundle. */
  readonly keyword?: string
  /** Distinguishes findings of one rule at one operation, such as by the name of a field. */
  readonly about?: string
  /** What is at stake: `critical` is another partner's record, or money that moves twice. */
  readonly impact?: 'critical' | 'high'
  /**
   * Whether a read may differ because it lags behind a write that is so new. Then it is no failed
   * case yet: a later look decides. If there is none, a list was not current, for whatever reason.
   * Default: false.
   */
  readonly mayLag?: boolean
}

/** What shows a case, what the case rests on, and what is at stake if it failed. */
export interface Case extends At {
  readonly evidence: Evidence
  readonly cites: Cites
}

/**
 * A difference between the service and the contract. It is reported once, however many cases show
 * it, with the severity, message and evidence of the most severe one.
 */
export interface Found {
  /** Stable from run to run: derived from the rule, the operation and the citation. */
  readonly id: string
  /** Id of the rule. */
  readonly rule: string
  /** OperationId; undefined if it concerns no single operation. */
  readonly operation: string | undefined
  readonly kind: Kind
  readonly severity: Severity
  readonly cites: Cites
  /** The keyword of the contract that was broken, if the finding is about one. */
  readonly keyword?: string
  /** One sentence: what was expected, and what was observed. */
  readonly message: string
  /** The first of the most severe cases that show it. */
  readonly evidence: Evidence
  /** Number of cases that showed it. */
  readonly count: number
}

/** What a history showed about an open question. */
export interface Verdict {
  readonly question: string
  /** The question and the contract's assumption. */
  readonly text: string
  readonly assumption: string
  /** `standard`, `assumed`, `open` or `observed`. */
  readonly basis: string
  /** Where and when it was observed; undefined for an assumption. */
  readonly observed?: string
  readonly verdict: 'confirmed' | 'contradicted' | 'not-exercised'
  /** What was observed, if the assumption was contradicted. */
  readonly seen: string | undefined
  /** Number of cases that were aimed at it. */
  readonly exercised: number
  /** The same by its statements, and by the rules that had the cases. */
  readonly statements: readonly StatementCases[]
  /** The statements that had no case, so that it cannot be confirmed. */
  readonly unsettled: readonly string[]
  /** The values of enumerations that were seen, of a question about values. */
  readonly values: readonly string[]
}

/** The cases that one rule had of a statement of an open question. */
export interface StatementCases {
  /** Empty for a question without statements. */
  readonly statement: string
  readonly rule: string
  readonly passed: number
  readonly failed: number
}

export interface Summary {
  /** The most severe first. */
  readonly findings: readonly Found[]
  /** One for each open question of the contract. */
  readonly verdicts: readonly Verdict[]
  /** Cases by rule. */
  readonly cases: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>
  /** What was seen of open questions. */
  readonly sightings: readonly Sighting[]
  /** Cases by entry of spec/behaviour, such as `/invariants/final-amount`. */
  readonly entries: ReadonlyMap<string, number>
  readonly changedElsewhere: number
  /** Records and tokens that were forgotten, because there were too many. */
  readonly forgotten: number
  /** Milliseconds that each rule took. */
  readonly spentMs: ReadonlyMap<string, number>
}

/** Looks at lists that are remembered until they are taken. */
const MOST_LOOKS = 100

/** Collects the cases of all rules. */
export function createReports(questions: Contract['questions']) {
  const findings = new Map<string, Found>()
  const cases = new Map<string, { passed: number; failed: number }>()
  const aimed = new Map<string, Map<string, StatementCases>>()
  const acceptedValues = new Map<string, Set<string>>()
  const sightings = createSightings()
  const entries = new Map<string, number>()
  const looks = new Bounded<string, Look>(MOST_LOOKS)
  /** What has shown a failed case last. */
  let lastFailed: Evidence | undefined
  let changedElsewhere = 0

  function count(rule: string, cites: Cites, outcome: 'passed' | 'failed'): void {
    const counts = cases.get(rule) ?? { passed: 0, failed: 0 }
    counts[outcome]++
    cases.set(rule, counts)

    const entry = 'entry' in cites ? cites.entry : undefined
    if (entry !== undefined) entries.set(entry, (entries.get(entry) ?? 0) + 1)

    if ('question' in cites) countStatement(rule, cites, outcome)
  }

  function countStatement(
    rule: string,
    cites: Extract<Cites, { question: string }>,
    outcome: 'passed' | 'failed',
  ): void {
    const byRule = aimed.get(statementOf(cites)) ?? new Map<string, StatementCases>()
    aimed.set(statementOf(cites), byRule)

    const { statement = '' } = cites
    const before = byRule.get(rule) ?? { statement, rule, passed: 0, failed: 0 }
    byRule.set(rule, { ...before, [outcome]: before[outcome] + 1 })
  }

  function noteValue(question: string, value: string): void {
    const values = acceptedValues.get(question) ?? new Set<string>()
    acceptedValues.set(question, values.add(value))
  }

  /** The values of enumerations that requests and responses had. */
  function valuesOf(question: string): readonly string[] {
    const ofResponses = sightings
      .list()
      .filter((sighting) => sighting.question === question && sighting.of === 'value')
      .flatMap(({ seen }) => Object.keys(seen))
    return [...new Set([...ofResponses, ...(acceptedValues.get(question) ?? [])])].sort()
  }

  function reportOf(rule: string): Report {
    const report: Report = {
      expect(holds, { evidence, cites, ...at }, sentence) {
        if (holds) report.passed(evidence, cites)
        else report.failed(evidence, cites, sentence(), at)
      },

      passed(_, cites, value) {
        count(rule, cites, 'passed')
        if (value !== undefined && 'question' in cites) noteValue(cites.question, value)
      },

      failed(evidence, cites, message, at = {}) {
        const finding = findingOf({ rule, evidence, cites, message, at })
        const earlier = findings.get(finding.id)
        // Where it was found already, no later look has to decide.
        const mayLag = at.mayLag && !earlier
        if (mayLag && evidence.type === 'exchange') {
          looks.set(walkOf(evidence), { rule, look: evidence, message })
          return
        }

        count(rule, cites, 'failed')
        lastFailed = evidence

        if (!earlier) {
          findings.set(finding.id, finding)
          return
        }

        // A customer's record may be the first case, and another partner's the hundredth.
        const shown = isMoreSevere(finding, earlier) ? finding : earlier
        findings.set(finding.id, { ...shown, count: earlier.count + 1 })
      },

      saw: sightings.add,

      changedElsewhere() {
        changedElsewhere++
      },
    }
    return report
  }

  /** A report of failed cases alone, where a case that passes says nothing. */
  function reportOfFailures(rule: string): Report {
    const report = reportOf(rule)
    return {
      ...report,
      expect(holds, about, sentence) {
        if (!holds) report.expect(holds, about, sentence)
      },
      passed: () => undefined,
    }
  }

  return {
    of: reportOf,
    ofFailures: reportOfFailures,
    sightings,

    /**
     * Lets the rules look at a record, or at the first page of a list, in place of the last look.
     * Returns that one if it was only too early: what it lacked is there now.
     */
    lookAgain(exchange: Exchange, read: () => void): Look | undefined {
      const key = walkOf(exchange)
      const earlier = isNewLook(exchange) ? looks.get(key) : undefined
      if (earlier) looks.delete(key)

      read()

      const isStillWrong = looks.get(key) !== undefined || lastFailed === exchange
      return isStillWrong ? undefined : earlier
    },

    /** The looks that wait for a later one. Each is returned once. */
    takeLooks() {
      const taken = [...looks.values()]
      looks.clear()
      return taken
    },

    /** `settles` has the statements of each question, such as `paging/order`. */
    summary(settles: readonly string[]): Omit<Summary, 'forgotten' | 'spentMs'> {
      const found = [...findings.values()]
      const verdicts = Object.entries(questions).map(([question, declared]) => ({
        question,
        text: declared.question,
        assumption: declared.assumption,
        basis: declared.basis,
        ...(declared.observed && { observed: observationOf(declared.observed) }),
        ...verdictOn(question, { found, aimed, settles }),
        values: valuesOf(question),
      }))
      return {
        findings: found.toSorted(bySeverity),
        verdicts,
        cases,
        sightings: sightings.list(),
        entries,
        changedElsewhere,
      }
    },
  }
}

/** Where and when a service showed what the contract says. */
export function observationOf({
  service,
  date,
}: NonNullable<DeclaredQuestion['observed']>): string {
  return `at ${service} on ${date}`
}

/** A look at what may lag behind a write, and what is wrong with it if it does not. */
export interface Look {
  /** Id of the rule. */
  readonly rule: string
  readonly look: Exchange
  readonly message: string
}

/** Whether a response shows a record, or the first page of a list. */
function isNewLook({ outcome, query }: Exchange): boolean {
  return outcome === 'accepted' && !query.has('cursor')
}

/** What looks at a record, or at the pages of a list, have in common. */
function walkOf({ request: { method, path, headers, body = '' } }: Exchange): string {
  const place = path.replace(/[?&]cursor=[^&]*/, '')
  return `${headers.authorization} ${method} ${place} ${body}`
}

function statementOf({ question, statement = '' }: Extract<Cites, { question: string }>): string {
  return `${question}/${statement}`
}

/** What a citation rests on, whichever entry of the contract says so. */
function sourceOf(cites: Cites): string {
  if ('question' in cites) return statementOf(cites)
  if ('fact' in cites) return JSON.stringify({ fact: cites.fact })
  if ('own' in cites) return 'own'
  return JSON.stringify(cites)
}

type Failed = Pick<Found, 'rule' | 'cites' | 'message' | 'evidence'> & { readonly at: At }

/** Characters of a message. */
const LONGEST = 500

function findingOf({ rule, evidence, cites, message, at }: Failed): Found {
  const ownOperation = evidence.type === 'exchange' ? evidence.operation?.id : undefined
  const { about = '', impact, isOfAll, keyword } = at
  const operation = isOfAll ? undefined : (at.operation ?? ownOperation)
  const source = sourceOf(cites)
  const hash = createHash('sha256')
    .update([rule, operation, source, about].join('\n'))
    .digest('hex')
  const kind = 'fact' in cites || 'pointer' in cites ? 'failure' : 'deviation'
  return {
    id: `${rule}:${operation ?? 'all'}:${hash.slice(0, 8)}`,
    rule,
    operation,
    kind,
    severity: severityOf(kind, 'own' in cites ? 'critical' : impact),
    cites,
    ...(keyword !== undefined && { keyword }),
    // A service chooses names and values that are part of it.
    message: atMost(oneLine(message), LONGEST),
    evidence: lean(evidence),
    count: 1,
  }
}

function severityOf(kind: Kind, impact: At['impact']): Severity {
  if (impact === 'critical') return 'critical'
  if (kind === 'failure') return 'error'
  return impact === 'high' ? 'warning' : 'note'
}

/** An event without what no report shows, since there are many findings. */
function lean(event: Evidence): Evidence {
  if (event.type === 'delivery') return event
  return { ...withoutResponse(event), response: event.response }
}

function isMoreSevere(one: Found, other: Found): boolean {
  return SEVERITIES.indexOf(one.severity) < SEVERITIES.indexOf(other.severity)
}

function bySeverity(a: Found, b: Found): number {
  if (isMoreSevere(a, b)) return -1
  if (isMoreSevere(b, a)) return 1
  return a.id.localeCompare(b.id)
}

interface Judged {
  readonly found: readonly Found[]
  /** The cases of each statement. */
  readonly aimed: ReadonlyMap<string, ReadonlyMap<string, StatementCases>>
  /** The statements that rules settle. */
  readonly settles: readonly string[]
}

/**
 * A question is confirmed if each of its statements had a case, or it has no statements and had any
 * case that settles it, and none failed.
 */
function verdictOn(
  question: string,
  { found, aimed, settles }: Judged,
): Pick<Verdict, 'verdict' | 'seen' | 'exercised' | 'statements' | 'unsettled'> {
  const isOfQuestion = (statement: string) => statement.startsWith(`${question}/`)
  const ofQuestion = [...aimed].filter(([statement]) => isOfQuestion(statement))
  const statements = ofQuestion.flatMap(([, byRule]) => [...byRule.values()])
  const exercised = statements.reduce((sum, { passed, failed }) => sum + passed + failed, 0)
  const unsettled = settles
    .filter((statement) => isOfQuestion(statement) && !aimed.has(statement))
    .map((statement) => statement.slice(question.length + 1))
  const counts = { exercised, statements, unsettled: [...new Set(unsettled)] }

  const contradiction = found.find(
    ({ cites }) => 'question' in cites && cites.question === question,
  )
  if (contradiction) return { verdict: 'contradicted', seen: contradiction.message, ...counts }

  const isTouched = statements.some(({ statement }) => isSettling(question, statement, settles))
  const verdict = isTouched && unsettled.length === 0 ? 'confirmed' : 'not-exercised'
  return { verdict, seen: undefined, ...counts }
}

/**
 * Whether cases of a statement settle a question. That invalid values are refused says nothing of the
 * valid ones, unless the question is about nothing else.
 */
function isSettling(question: string, statement: string, settles: readonly string[]): boolean {
  return statement !== 'invalid' || settles.includes(`${question}/${statement}`)
}
