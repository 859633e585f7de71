import type { Found, StatementCases, Verdict } from './report.ts'
import { NOT_VALIDATED, OTHER_STATUS } from './unseen.ts'

/** What a verdict is based on. */
interface VerdictBasis {
  readonly findings: readonly Found[]
  /** The cases of each statement, by the rules that had them. */
  readonly casesByStatement: ReadonlyMap<string, ReadonlyMap<string, StatementCases>>
  /** The statements that rules settle. */
  readonly settles: readonly string[]
  /** Lists the parts of the assumption that the cases of its statements do not show. */
  readonly listUnseen: (statements: readonly StatementCases[]) => readonly string[]
}

/**
 * Judges an open question by the assumption of the contract. A finding that cites the question contradicts it.
 * Otherwise, it is confirmed as far as there was a case of each of its statements that rules can settle (`settles`):
 * `paging` with a case of `order` and none of `limit` is `partly-confirmed`, and `unsettled` is `['limit']`.
 */
export function judgeQuestion(
  question: string,
  { findings, casesByStatement, settles, listUnseen }: VerdictBasis,
): Pick<Verdict, 'verdict' | 'seen' | 'exercised' | 'statements' | 'unsettled'> {
  const statements = listCases(question, casesByStatement)
  const exercised = statements.reduce((sum, { passed, failed }) => sum + passed + failed, 0)
  // A case of a statement that rules can settle, such as `paging/order`. Other cases prove too little.
  const hasSettlingCase = statements.some(({ statement }) =>
    isSettling(question, statement, settles),
  )
  const unsettled = listUnsettled(question, settles, casesByStatement)
  // Of a question with such a case, what no message has shown is unsettled too.
  if (hasSettlingCase) unsettled.push(...listUnseen(statements))
  const counts = { exercised, statements, unsettled }

  // One difference is enough, however many cases passed.
  const contradiction = findings.find(
    ({ cites }) => 'question' in cites && cites.question === question,
  )
  if (contradiction) return { verdict: 'contradicted', seen: contradiction.message, ...counts }

  if (!hasSettlingCase) return { verdict: 'not-exercised', seen: undefined, ...counts }
  const verdict = unsettled.length === 0 ? 'confirmed' : 'partly-confirmed'
  return { verdict, seen: undefined, ...counts }
}

/** Lists the cases of a question, by its statements and the rules that had them: of `paging`, those of `paging/order`. */
function listCases(
  question: string,
  casesByStatement: VerdictBasis['casesByStatement'],
): StatementCases[] {
  const cases: StatementCases[] = []
  for (const [statement, byRule] of casesByStatement)
    if (statement.startsWith(`${question}/`)) cases.push(...byRule.values())
  return cases
}

/** Lists the statements of a question that rules can settle and had no case of, such as `order` of `paging`. */
function listUnsettled(
  question: string,
  settles: readonly string[],
  casesByStatement: VerdictBasis['casesByStatement'],
): string[] {
  const unsettled = new Set<string>()
  for (const statement of settles) {
    const isOfQuestion = statement.startsWith(`${question}/`)
    if (isOfQuestion && !casesByStatement.has(statement))
      unsettled.add(statement.slice(question.length + 1))
  }
  return [...unsettled]
}

/**
 * Whether cases of a statement settle a question. That invalid values are refused says nothing of the
 * valid ones, unless the question is about nothing else.
 */
function isSettling(question: string, statement: string, settles: readonly string[]): boolean {
  if (statement === OTHER_STATUS || statement === NOT_VALIDATED) return false
  return statement !== 'invalid' || settles.includes(`${question}/${statement}`)
}
