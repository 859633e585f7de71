import { createHash } from 'node:crypto'
import type { Evidence, Finding, Kind } from './result.ts'

/** What a law saw to be broken. */
export interface Broken {
  readonly operation: string | undefined
  /** One sentence: what was expected and what was seen. */
  readonly message: string
  /** JSON pointer into the contract; empty where no place can be named. */
  readonly contract: string
  /** The open question that this departs from; undefined where it is a fact. */
  readonly question?: string | undefined
  /** Tells apart what is at one place: a keyword, a name. */
  readonly about?: string
  /** An addition, which the contract neither has nor forbids: a discovery though no answer of ours is behind it. */
  readonly isAddition?: boolean
}

/** What a law of every answer says of one place: a finding, or without a message that it passed. */
export type Judged = Omit<Broken, 'message'> & { readonly message: string | undefined }

interface LawOf {
  readonly id: string
  readonly advice: string
  readonly atStake?: boolean
}

/** Gathers findings: one for a law, an operation and a place, with the smallest case that shows it. */
export interface Judge {
  add(law: LawOf, broken: Broken, evidence: () => Evidence): void
  findings(): Finding[]
  count(law: string): number
}

/** Findings kept at most; of what is more, a run only knows that its law is broken. */
const MAX_FINDINGS = 5_000

export function createJudge(): Judge {
  const found = new Map<string, Finding>()
  const counts = new Map<string, number>()
  return {
    add(law, broken, evidence) {
      counts.set(law.id, (counts.get(law.id) ?? 0) + 1)
      const id = idOf(law.id, broken)
      const known = found.get(id)
      if (!known && found.size >= MAX_FINDINGS) return
      found.set(id, known ? smaller(known, broken, evidence()) : findingOf(id, law, broken, evidence()))
    },
    findings: () => [...found.values()].sort(inOrder),
    count: (law) => counts.get(law) ?? 0,
  }
}

/** Stable from run to run: what differs between runs, as ids and texts, is not in it. */
function idOf(law: string, { operation = '', contract, about = '' }: Broken): string {
  const hash = createHash('sha256')
    .update(`${law}\n${operation}\n${contract}\n${about}`)
    .digest('hex')
    .slice(0, 8)
  return `${law}:${operation || 'all'}:${hash}`
}

function findingOf(id: string, law: LawOf, broken: Broken, evidence: Evidence): Finding {
  const { operation, message, contract, question } = broken
  const kind: Kind = question === undefined && !broken.isAddition ? 'failure' : 'discovery'
  const severity = kind === 'failure' ? 'error' : law.atStake ? 'warning' : 'note'
  return {
    id,
    law: law.id,
    operation,
    kind,
    severity,
    message,
    advice: law.advice,
    contract,
    question,
    evidence,
    count: 1,
  }
}

function smaller(known: Finding, { message }: Broken, evidence: Evidence): Finding {
  const count = known.count + 1
  const isSmaller = sizeOf(evidence) < sizeOf(known.evidence)
  return isSmaller ? { ...known, count, message, evidence } : { ...known, count }
}

function sizeOf({ request, path }: Evidence): number {
  return request.length + path.length
}

/** Failures first, then by law and operation. */
function inOrder(a: Finding, b: Finding): number {
  const rank = (it: Finding) => (it.kind === 'failure' ? 0 : it.severity === 'warning' ? 1 : 2)
  return rank(a) - rank(b) || a.id.localeCompare(b.id)
}
