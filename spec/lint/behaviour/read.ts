import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pointerOf } from '@partner-payments/text'
import type { Source } from '@redocly/openapi-core'
import { isNode, type Node } from '../marks.ts'
import { readYaml } from '../read-yaml.ts'

const SCHEMA = 'schema.yaml'

/** One entry of a section and its file. */
export interface Entry {
  readonly section: string
  readonly name: string
  readonly value: unknown
  readonly source: Source
}

/** The files of spec/behaviour as one list of entries. `deliveries` is one entry without a name. */
export function readBehaviour(spec: string): Entry[] {
  const folder = join(spec, 'behaviour')
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== SCHEMA)
  return files.sort().flatMap((name) => {
    const { value, source } = readYaml<Node>(join(folder, name))
    return Object.entries(value).flatMap(([section, entries]) => entriesOf(section, entries, source))
  })
}

function entriesOf(section: string, entries: unknown, source: Source): Entry[] {
  if (section === 'deliveries' || !isNode(entries)) return [{ section, name: '', value: entries, source }]
  return Object.entries(entries).map(([name, value]) => ({ section, name, value, source }))
}

/** The schema of the files (JSON Schema 2020-12, in the layout of an OpenAPI document). */
export function readBehaviourSchema(spec: string): Node {
  return readYaml<Node>(join(spec, 'behaviour', SCHEMA)).value
}

/** The entries as one object, in the form of the schema's `Behaviour`. */
export function merged(entries: readonly Entry[]): Readonly<Record<string, Node>> {
  const all: Record<string, Record<string, unknown>> = {}
  for (const { section, name, value } of entries) {
    if (!name) all[section] = { ...(value as Node) }
    else all[section] = { ...all[section], [name]: value }
  }
  return all
}

/** The ids of open questions that the entries name. */
export function questionsIn(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ value }) => sourcesIn(value, '').flatMap(({ question }) => question ?? []))
}

interface Cited {
  readonly at: string
  readonly fact?: string
  readonly question?: string
}

/** Each `fact` and `question` within a value with its location. Skips request and response values, which are data. */
export function sourcesIn(value: unknown, at: string): Cited[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => sourcesIn(item, `${at}/${index}`))
  if (!isNode(value)) return []
  const { fact, question } = value
  const own = [
    ...(typeof fact === 'string' ? [{ at: `${at}/fact`, fact }] : []),
    ...(typeof question === 'string' ? [{ at: `${at}/question`, question }] : []),
  ]
  const inner = Object.entries(value).filter(([key]) => key !== 'set' && key !== 'value')
  return [...own, ...inner.flatMap(([key, child]) => sourcesIn(child, pointerOf(at, key)))]
}
