import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pointerOf } from '@partner-payments/contract'
import { readYaml } from '../files.ts'
import { isNode, type Node } from '../marks.ts'

const SCHEMA = 'schema.yaml'

/** The files of spec/behaviour. */
export interface BehaviourFiles {
  /** The entries by section and name, in the form of the schema's `Behaviour`. */
  readonly entries: Readonly<Record<string, Node>>
  /**
   * The file of each entry by its pointer, such as `/refusals/not_found`. `/deliveries` is one
   * entry.
   */
  readonly sources: ReadonlyMap<string, string>
  /** The pointers that two files have. */
  readonly repeated: readonly string[]
}

/**
 * Reads the files of spec/behaviour as one object by sections: `{ refusals: { invalid_key: … } }`.
 * Also returns which file each entry is from (`/refusals/invalid_key` is from
 * `behaviour/keys.yaml`), and the pointers of entries whose name comes twice.
 */
export function readBehaviour(spec: string): BehaviourFiles {
  const sections: Record<string, Node> = {}
  const sources = new Map<string, string>()
  const repeated: string[] = []
  for (const name of listEntryFiles(spec)) {
    const { value, file } = readYaml<Readonly<Record<string, Node>>>(spec, name)
    for (const [section, entries] of Object.entries(value)) {
      sections[section] = { ...sections[section], ...entries }

      for (const at of entryPointers(section, entries)) {
        if (sources.has(at)) repeated.push(at)
        else sources.set(at, file)
      }
    }
  }
  return { entries: sections, sources, repeated }
}

/** The names of the files with entries, such as `behaviour/transfers.yaml`. */
function listEntryFiles(spec: string): string[] {
  const names = readdirSync(join(spec, 'behaviour')).sort()
  const withEntries = names.filter((name) => name.endsWith('.yaml') && name !== SCHEMA)
  return withEntries.map((name) => `behaviour/${name}`)
}

/** The pointers of the entries of a section, such as `/refusals/not_found`. */
function entryPointers(section: string, entries: Node): string[] {
  if (section === 'deliveries' || !isNode(entries)) return [`/${section}`]
  return Object.keys(entries).map((name) => pointerOf(`/${section}`, name))
}

/** The schema of the files (JSON Schema 2020-12, in the layout of an OpenAPI document). */
export function readBehaviourSchema(spec: string): Node {
  return readYaml<Node>(spec, `behaviour/${SCHEMA}`).value
}

/** A statement or an open question that an entry names as its source. */
interface Cited {
  readonly at: string
  readonly kind: 'fact' | 'question'
  readonly id: string
}

/**
 * The sources at and below an entry: each `fact` (a statement of facts.yaml) and each `question` (one
 * of open-questions.yaml), with its pointer. Skips `value`, which is data and could have such a
 * field.
 */
export function* findSources(value: unknown, at = ''): Generator<Cited> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value)) {
    if (key === 'value') continue
    const place = pointerOf(at, key)
    const isSource = key === 'fact' || key === 'question'
    if (isSource && typeof child === 'string') yield { at: place, kind: key, id: child }
    else yield* findSources(child, place)
  }
}
