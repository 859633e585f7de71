import { readTextFile } from '@partner-payments/contract/file'
import { isNode } from '../lint/marks.ts'

/** What was seen at a place of the contract, and how often each. */
export interface Sighting {
  /** A JSON pointer into the bundled contract, or one after `behaviour#`. */
  readonly at: string
  /** The aspect that was looked at, such as `form`, `type` or `status`. */
  readonly of: string
  readonly seen: Readonly<Record<string, number>>
}

export interface Finding {
  readonly rule: string
  readonly operation?: string
  /** The keyword of the contract that was broken: a JSON pointer. */
  readonly keyword?: string
  readonly message: string
  readonly count: number
}

/** What a service showed of one open question. */
export interface QuestionEvidence {
  readonly verdict: 'confirmed' | 'partly-confirmed' | 'contradicted' | 'not-exercised'
  readonly statements: readonly {
    readonly statement: string
    readonly rule: string
    readonly passed: number
    readonly failed: number
  }[]
  /** The statements that had no case. */
  readonly unsettled: readonly string[]
  readonly findings: readonly Finding[]
  readonly sightings: readonly Sighting[]
}

/** What the contract calls by one word, and the service by another. */
export interface FormWord {
  /** Such as `immediateQrCode/status/ATIVA`. */
  readonly name: string
  /** What the service has instead, such as `EM_ABERTO`. */
  readonly value: string
  readonly question: string
}

/** What `check --report evidence=FILE` writes. */
export interface Evidence {
  readonly format: 1
  readonly kind: 'run' | 'har' | 'proxy'
  readonly service: string
  readonly own?: string
  readonly incomplete?: string
  readonly startedAt: string
  readonly contract: { readonly title: string; readonly version: string }
  readonly failures: number
  /** The form of the service, where it is not that of the contract. */
  readonly form?: readonly FormWord[]
  readonly questions: Readonly<Record<string, QuestionEvidence>>
}

/** Evidence that answers nothing. The message says why, and what to do. */
export class EvidenceError extends Error {}

/**
 * Reads evidence of one service from one or more files: what the checker saw of each open question
 * (`check --report evidence=FILE`).
 *
 * @throws {EvidenceError} if it is of our own mock or sandbox, of several services or versions of the
 *   contract, or incomplete
 */
export function readEvidence(files: readonly string[]): Evidence {
  const [firstFile, ...otherFiles] = files
  if (firstFile === undefined)
    throw new EvidenceError('no evidence was given; write some with `check --report evidence=FILE`')

  let joined = readFile(firstFile)
  const { service, contract } = joined
  for (const file of otherFiles) {
    const evidence = readFile(file)
    if (evidence.service !== service)
      throw new EvidenceError(
        `${file} is of ${evidence.service}, and ${firstFile} of ${service}; answer from one service at a time`,
      )
    if (evidence.contract.version !== contract.version)
      throw new EvidenceError(
        `${file} is of version ${evidence.contract.version} of the contract, and ${firstFile} of ${contract.version}; check the service again`,
      )
    joined = joinEvidence(joined, evidence)
  }
  return joined
}

/**
 * Reads the evidence of one file. Throws if it is of our own mock or sandbox, which prove nothing
 * of a service, or of a run that was not completed.
 */
function readFile(file: string): Evidence {
  const evidence = parseEvidence(file)
  const { own, incomplete, service } = evidence
  if (own !== undefined)
    throw new EvidenceError(
      `${file} is of our own ${own} (${service}), which only repeats the contract; check a real service`,
    )
  if (incomplete !== undefined)
    throw new EvidenceError(`${file} is of a run that is not complete: ${incomplete}; run it again`)
  return evidence
}

/**
 * Reads a file of evidence, whether or not it is of a real service. Throws if it has another
 * format.
 */
function parseEvidence(file: string): Evidence {
  const value = readJson(file)
  const isEvidence =
    isNode(value) && value.format === 1 && isNode(value.contract) && isNode(value.questions)
  if (!isEvidence || typeof value.service !== 'string')
    throw new EvidenceError(
      `${file} is not evidence; expected what \`check --report evidence=FILE\` writes`,
    )
  // The checker writes these fields with all others, so those are not checked.
  return value as unknown as Evidence
}

/** Reads a file of JSON. The error says why it cannot be read. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file))
  } catch (cause) {
    throw new EvidenceError(`${file} cannot be read: ${describeReadError(cause)}`, { cause })
  }
}

/** Returns why a file of JSON cannot be read, such as `it does not exist`. */
function describeReadError(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'it is not JSON'

  const { code, message } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'it does not exist'
  return code ?? message
}

/** The evidence of two runs against one service, as if it were one run that began with the first. */
function joinEvidence(one: Evidence, other: Evidence): Evidence {
  const questions: Record<string, QuestionEvidence> = { ...one.questions }
  for (const [id, observed] of Object.entries(other.questions)) {
    const earlier = questions[id]
    questions[id] = earlier ? joinQuestionEvidence(earlier, observed) : observed
  }
  const { form = [], failures } = one
  const { form: otherForm = [], failures: otherFailures } = other
  return {
    ...one,
    failures: failures + otherFailures,
    form: [...form, ...otherForm],
    questions,
  }
}

/** What two runs showed of one question, together. */
function joinQuestionEvidence(one: QuestionEvidence, other: QuestionEvidence): QuestionEvidence {
  const unsettled = joinUnsettled(one, other)
  return {
    verdict: joinVerdicts([one.verdict, other.verdict], unsettled),
    statements: [...one.statements, ...other.statements],
    unsettled,
    findings: [...one.findings, ...other.findings],
    sightings: [...one.sightings, ...other.sightings],
  }
}

/** The statements of a question of which neither run had a case. */
function joinUnsettled(one: QuestionEvidence, other: QuestionEvidence): readonly string[] {
  // A run without any case of the question does not list what it has not seen.
  if (other.verdict === 'not-exercised') return one.unsettled
  if (one.verdict === 'not-exercised') return other.unsettled
  return one.unsettled.filter((statement) => other.unsettled.includes(statement))
}

/**
 * The verdict of two runs: a contradiction of either counts. It is a confirmation if one run
 * confirmed at least a part, and if no statement of the question is left without a case.
 *
 * @param unsettled The statements without a case in both runs.
 */
function joinVerdicts(
  verdicts: readonly QuestionEvidence['verdict'][],
  unsettled: readonly string[],
): QuestionEvidence['verdict'] {
  if (verdicts.includes('contradicted')) return 'contradicted'
  const isAnyShown = verdicts.includes('confirmed') || verdicts.includes('partly-confirmed')
  if (!isAnyShown) return 'not-exercised'
  return unsettled.length === 0 ? 'confirmed' : 'partly-confirmed'
}

/**
 * How often each word was seen of an aspect at one place of the contract. The aspect is what the
 * checker looked at there, such as `form`, `type` or `status`.
 *
 * @example
 * countSightings(observed, '/components/schemas/Id', 'form') // { 'rec_h{32}': 30 }
 */
export function countSightings(
  { sightings }: QuestionEvidence,
  at: string,
  aspect: string,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const sighting of sightings) {
    if (sighting.at !== at || sighting.of !== aspect) continue
    for (const [word, count] of Object.entries(sighting.seen))
      counts[word] = (counts[word] ?? 0) + count
  }
  return counts
}

/** The word that was seen; undefined if none was, or several were. */
export function onlyWord(counts: Readonly<Record<string, number>>): string | undefined {
  const words = Object.keys(counts)
  return words.length === 1 ? words[0] : undefined
}

/** The places where an aspect was seen, such as `form`. */
export function listPlaces({ sightings }: QuestionEvidence, aspect: string): string[] {
  const places = sightings.filter(({ of }) => of === aspect).map(({ at }) => at)
  return [...new Set(places)]
}
