import type { Contract } from '../contract/contract.ts'
import type { ServiceForm } from '../form/service-form.ts'
import { Bounded } from '../model/bounded.ts'
import type { Exchange } from '../model/exchange.ts'
import {
  addCase,
  buildFindingId,
  bySeverity,
  createFinding,
  type FailedCase,
} from './create-finding.ts'
import {
  buildStatementName,
  type Cites,
  describeObservation,
  type Evidence,
  type Found,
  type Look,
  type Report,
  type StatementCases,
  type Summary,
} from './report.ts'
import { createSightings, type Sighting } from './sightings.ts'
import { listUnseenParts } from './unseen.ts'
import { judgeQuestion } from './verdicts.ts'

/** So many looks are remembered until a later one decides. */
const MAX_LOOKS = 100

/**
 * Collects the cases of all rules, and makes findings and verdicts of them. A failed case that may lag
 * behind a write waits for a later look at the same list or record.
 */
export function createReports({ questions, document }: Pick<Contract, 'questions' | 'document'>) {
  const findings = new Map<string, Found>()
  /** The ids of the findings that are new, or more severe than before, since they were last taken. */
  const newIds = new Set<string>()
  const cases = new Map<string, { passed: number; failed: number }>()
  /** By statement and rule. */
  const casesByStatement = new Map<string, Map<string, StatementCases>>()
  /** The values of enumerations that were accepted, by question. */
  const acceptedValues = new Map<string, Set<string>>()
  const sightings = createSightings()
  /** The number of cases of each entry of spec/behaviour. */
  const casesByEntry = new Map<string, number>()
  /** By list or record: the reads that did not show a write, each until the next read of the same. */
  const waitingLooks = new Bounded<string, Look>(MAX_LOOKS)
  /** The exchange or delivery of the last failed case that was counted. */
  let lastFailed: Evidence | undefined
  let changedElsewhere = 0

  /**
   * Counts a case, which is one judgement of a rule: for the rule, for the entry of `spec/behaviour` that
   * it cites, and for the statement of an open question.
   */
  function count(rule: string, cites: Cites, outcome: 'passed' | 'failed'): void {
    const counts = cases.get(rule) ?? { passed: 0, failed: 0 }
    counts[outcome]++
    cases.set(rule, counts)

    const entry = 'entry' in cites ? cites.entry : undefined
    if (entry !== undefined) casesByEntry.set(entry, (casesByEntry.get(entry) ?? 0) + 1)

    if ('question' in cites) countStatement(rule, cites, outcome)
  }

  /** Counts a case for the statement of an open question that it cites, apart for each rule. */
  function countStatement(
    rule: string,
    cites: Extract<Cites, { question: string }>,
    outcome: 'passed' | 'failed',
  ): void {
    const name = buildStatementName(cites)
    const byRule = casesByStatement.get(name) ?? new Map<string, StatementCases>()
    casesByStatement.set(name, byRule)

    const { statement = '' } = cites
    const counts = byRule.get(rule) ?? { statement, rule, passed: 0, failed: 0 }
    byRule.set(rule, { ...counts, [outcome]: counts[outcome] + 1 })
  }

  function noteValue(question: string, value: string): void {
    const values = acceptedValues.get(question) ?? new Set<string>()
    acceptedValues.set(question, values.add(value))
  }

  /**
   * Lists the values of enumerations that occurred, of one question: those of requests that were accepted, and
   * those that responses showed. Such as `['cpf', 'email']` of the question which types keys have.
   */
  function listSeenValues(
    question: string,
    sightingsOfQuestion: readonly Sighting[],
  ): readonly string[] {
    const values = new Set(acceptedValues.get(question))
    const sightingsOfValues = sightingsOfQuestion.filter(({ of }) => of === 'value')
    for (const { seen } of sightingsOfValues) {
      // Such as `{ cpf: 3, email: 1 }`.
      for (const value of Object.keys(seen)) values.add(value)
    }
    return [...values].sort()
  }

  /** Counts a failed case, and adds it to its finding, which it creates if it is the first one. */
  function addFailedCase(id: string, failed: FailedCase): void {
    count(failed.rule, failed.cites, 'failed')
    lastFailed = failed.evidence
    const before = findings.get(id)
    const finding = before ? addCase(before, failed) : createFinding(id, failed)
    findings.set(id, finding)
    if (finding.severity !== before?.severity) newIds.add(id)
  }

  /** Whether the rules have a failed case of an exchange that they just read, counted or waiting. */
  function hasFailedCase(exchange: Exchange): boolean {
    return lastFailed === exchange || waitingLooks.has(buildLookKey(exchange))
  }

  /** The report in which a rule records its cases. */
  function createReport(rule: string): Report {
    const report: Report = {
      expect(holds, { evidence, cites, ...at }, sentence) {
        if (holds) report.passed(evidence, cites)
        else report.failed(evidence, cites, sentence(), at)
      },

      passed(_, cites, value) {
        count(rule, cites, 'passed')
        if (value !== undefined && 'question' in cites) noteValue(cites.question, value)
      },

      /** Records a failed case. It waits for a later look if the read may only have come too early after a write. */
      failed(evidence, cites, message, at = {}) {
        const failed = { rule, evidence, cites, message, at }
        const id = buildFindingId(failed)

        // For a finding that is there already, nothing has to be looked at again.
        const isNewFinding = !findings.has(id)
        const mayBeTooEarly = isNewFinding && at.mayLag && evidence.type === 'exchange'
        if (mayBeTooEarly)
          waitingLooks.set(buildLookKey(evidence), { rule, look: evidence, message })
        else addFailedCase(id, failed)
      },

      saw: sightings.add,

      changedElsewhere() {
        changedElsewhere++
      },
    }
    return report
  }

  /**
   * Creates a report that counts failed cases and ignores cases that pass, for rules of which a passed case
   * proves nothing.
   */
  function createReportOfFailures(rule: string): Report {
    const report = createReport(rule)
    return {
      ...report,
      expect(holds, about, sentence) {
        if (!holds) report.expect(holds, about, sentence)
      },
      passed: () => undefined,
    }
  }

  return {
    createReport,
    createReportOfFailures,
    sightings,

    hasFailedCase,

    /**
     * Takes the earlier read of the same list or record that did not show a write, and waits for this one.
     * Undefined if none waits: most reads show what they must.
     */
    takeEarlierLook(exchange: Exchange): Look | undefined {
      if (!isNewLook(exchange)) return undefined

      const key = buildLookKey(exchange)
      const earlierLook = waitingLooks.get(key)
      waitingLooks.delete(key)
      return earlierLook
    },

    /** Takes the looks that wait for a later one. Each is returned once. */
    takeLooks() {
      const looks = [...waitingLooks.values()]
      waitingLooks.clear()
      return looks
    },

    /**
     * Takes the findings that are new, or more severe than before, since they were last taken; the most severe first. The
     * proxy asks after each exchange, when there may be thousands of other findings.
     */
    takeNewFindings(): Found[] {
      const newFindings = [...newIds].flatMap((id) => findings.get(id) ?? [])
      newIds.clear()
      return newFindings.sort(bySeverity)
    },

    /**
     * The findings, most severe first, and a verdict on each open question, with the values that were seen.
     *
     * @param settles The statements of questions that rules can settle, such as `paging/order`.
     * @param form How the service writes what the contract only assumes, and the lists that it does not show whole.
     */
    summary(
      settles: readonly string[],
      { learned, unreadPages }: Pick<ServiceForm, 'learned' | 'unreadPages'>,
    ): Omit<Summary, 'forgotten' | 'spentMs'> {
      const allFindings = [...findings.values()]
      const allSightings = sightings.list()
      const verdicts = Object.entries(questions).map(([question, declared]) => {
        // All that the history has shown of this question.
        const shown = {
          declared,
          sightings: allSightings.filter((sighting) => sighting.question === question),
          learned: learned.filter((each) => each.question === question),
          unreadLists: question === PAGING ? unreadPages.list().map(([list]) => list) : [],
          document,
        }
        return {
          question,
          text: declared.question,
          assumption: declared.assumption,
          basis: declared.basis,
          ...(declared.observed && { observed: describeObservation(declared.observed) }),
          ...judgeQuestion(question, {
            findings: allFindings,
            casesByStatement,
            settles,
            // Called only if the question has a case.
            listUnseen: (statements) => listUnseenParts(question, { ...shown, statements }),
          }),
          values: listSeenValues(question, shown.sightings),
        }
      })
      return {
        findings: allFindings.toSorted(bySeverity),
        verdicts,
        cases,
        sightings: allSightings,
        entries: casesByEntry,
        changedElsewhere,
      }
    },
  }
}

/** The question of how lists are divided into pages. */
const PAGING = 'paging'

/** Whether a response shows a record, or the first page of a list, and no further page. */
function isNewLook({ outcome, query }: Exchange): boolean {
  return outcome === 'accepted' && !query.has('cursor')
}

/** Builds the text that all looks at one record, or at one list, have in common. */
function buildLookKey({ request, path, query }: Exchange): string {
  const { method, headers, body = '' } = request
  const queryWithoutCursor = new URLSearchParams(query)
  queryWithoutCursor.delete('cursor')
  return `${headers.authorization} ${method} ${path} ${queryWithoutCursor} ${body}`
}
