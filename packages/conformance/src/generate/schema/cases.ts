import { type Finding, stepsOf } from '@partner-payments/validator'
import { below } from '../../model/document.ts'
import { edgesOfSite } from './edges.ts'
import type { Edit } from './edit.ts'
import { type Json, withValue } from './json.ts'
import { breakersOfSite } from './keyword-breakers.ts'
import { child, placeAt, presenceQuestion, questionOf } from './place.ts'
import type { SchemaContract } from './schema-contract.ts'
import { sitesOf } from './sites.ts'
import type { ValidValues } from './valid-values.ts'

/** How a request differs from the accepted one. */
export interface Change {
  /** JSON pointer into the body (RFC 6901); empty for the whole body. */
  readonly pointer: string
  /** JSON pointer into the contract, to the keyword that the change is about. */
  readonly contract: string
  readonly keyword: string
  /** The open question that marks the keyword; undefined for a fact. */
  readonly question: string | undefined
  /** What was changed, for `describeChange`: `left out`, or a description of the new value. */
  readonly note: string
}

/**
 * Describes a changed request.
 *
 * @example
 * describeChange({ pointer: '/url', note: 'left out' }) // 'A request without /url'
 * describeChange({ pointer: '/url', note: 'a number' }) // 'A request whose /url is a number'
 */
export function describeChange({ pointer, note }: Pick<Change, 'pointer' | 'note'>): string {
  const what = pointer || 'body'
  return note.startsWith(LEFT_OUT)
    ? `A request without ${what}${note.slice(LEFT_OUT.length)}`
    : `A request whose ${what} is ${note}`
}

const LEFT_OUT = 'left out'

/** A body and its difference from the accepted one. */
export interface Case {
  readonly body: Json
  readonly change: Change
}

/** Valid variants of an accepted value, at the boundaries of keywords. */
export function edgeCases(
  contract: SchemaContract,
  valid: ValidValues,
  accepted: { readonly pointer: string; readonly value: Json },
): Case[] {
  const schema = placeAt(contract.root, accepted.pointer)
  const seen = new Set([JSON.stringify(accepted.value)])
  const edits = sitesOf(contract, valid, schema, accepted.value).flatMap((site) =>
    edgesOfSite(site, valid).map((it) => ({ site, it })),
  )
  // If two edits yield the same body, the more specific keyword wins.
  const ordered = [...edits.filter(({ it }) => !isGeneral(it)), ...edits.filter(({ it }) => isGeneral(it))]
  return ordered.flatMap(({ site, it }) => {
    const body = withValue(site.body, it.pointer, it.value)
    if (body === undefined || !isNew(seen, body) || !contract.isValid([schema], body)) return []
    return [{ body, change: changeOf(contract, it) }]
  })
}

function isGeneral({ keyword }: Edit): boolean {
  return ['type', 'required', 'properties', 'additionalProperties', 'items'].includes(keyword)
}

function isNew(seen: Set<string>, body: Json): boolean {
  const text = JSON.stringify(body)
  if (seen.has(text)) return false
  seen.add(text)
  return true
}

function changeOf({ root }: SchemaContract, it: Edit): Change {
  const { pointer, part, keyword, note } = it
  const contract = below(part.pointer, keyword)
  const properties = child(part, 'properties')
  const property =
    keyword === 'required' && properties && child(properties, it.property ?? stepsOf(pointer).at(-1) ?? '')
  const presence = property ? presenceQuestion(root, property) : undefined
  return { pointer, contract, keyword, question: presence ?? questionOf(part, keyword), note }
}

/**
 * Invalid variants of an accepted value. Each breaks one keyword, and another one too only if that cannot be
 * avoided.
 */
export function brokenCases(
  contract: SchemaContract,
  valid: ValidValues,
  accepted: { readonly pointer: string; readonly value: Json },
): Case[] {
  const found: Case[] = []
  const spare = new Map<string, Case>()
  for (const { body, edit, findings } of brokenBodies(contract, valid, accepted)) {
    const [finding, ...others] = findings
    if (!finding) continue
    const caseOf = (it: Finding) => ({ body, change: changeFrom(it, noteOf(edit, findings, it)) })
    if (others.every((it) => isSameRule(it, finding))) found.push(caseOf(finding))
    else for (const it of findings) keep(it, caseOf(it))
  }
  const clean = new Set(found.map(({ change }) => caseKey(change)))
  return [...found, ...[...spare].filter(([key]) => !clean.has(key)).map(([, it]) => it)]

  function keep(finding: Finding, it: Case): void {
    const key = caseKey(finding)
    if (!spare.has(key)) spare.set(key, it)
  }
}

/** A schema that narrows a referenced one can repeat its `pattern`, which still counts as one keyword. */
function isSameRule(one: Finding, other: Finding): boolean {
  return one.pointer === other.pointer && one.keyword === other.keyword
}

function caseKey({ pointer, contract }: Pick<Change, 'pointer' | 'contract'>): string {
  return `${pointer} ${contract}`
}

function noteOf({ note }: Edit, findings: readonly Finding[], own: Finding): string {
  const others = new Set(findings.filter((it) => it !== own).map(({ contract }) => contract))
  return others.size > 0 ? `${note} (which breaks ${[...others].join(', ')} too)` : note
}

function changeFrom({ pointer, contract, keyword, question }: Finding, note: string): Change {
  return { pointer, contract, keyword, question, note }
}

interface InvalidBody {
  readonly body: Json
  readonly edit: Edit
  readonly findings: readonly Finding[]
}

/** One invalid variant that breaks a single keyword. The number selects where the search starts. */
export function brokenCaseFrom(
  contract: SchemaContract,
  valid: ValidValues,
  accepted: { readonly pointer: string; readonly value: Json; readonly number: number },
): Case | undefined {
  const { pointer, value, number } = accepted
  const sites = sitesOf(contract, valid, placeAt(contract.root, pointer), value)
  for (const site of rotated(sites, number))
    for (const edit of rotated(breakersOfSite(site, valid), Math.floor(number / sites.length))) {
      const body = withValue(site.body, edit.pointer, edit.value)
      const [finding, ...others] = body === undefined ? [] : contract.findingsOf(pointer, body)
      if (body !== undefined && finding && others.length === 0)
        return { body, change: changeFrom(finding, edit.note) }
    }
  return undefined
}

/** Rotates a list. */
function rotated<T>(items: readonly T[], number: number): T[] {
  const start = items.length > 0 ? number % items.length : 0
  return [...items.slice(start), ...items.slice(0, start)]
}

/** Each distinct invalid body. */
function* brokenBodies(
  contract: SchemaContract,
  valid: ValidValues,
  accepted: { readonly pointer: string; readonly value: Json },
): Generator<InvalidBody> {
  const schema = placeAt(contract.root, accepted.pointer)
  const seen = new Set<string>()
  for (const site of sitesOf(contract, valid, schema, accepted.value, { isThorough: true }))
    for (const edit of breakersOfSite(site, valid)) {
      const body = withValue(site.body, edit.pointer, edit.value)
      if (body === undefined || !isNew(seen, body)) continue
      const findings = contract.findingsOf(accepted.pointer, body)
      if (findings.length > 0) yield { body, edit, findings }
    }
}
