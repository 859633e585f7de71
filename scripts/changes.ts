import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stepsOf } from '@partner-payments/contract'
import { readScriptArguments } from './arguments.ts'

const SPEC = fileURLToPath(new URL('../spec', import.meta.url))
const REDOCLY = join(SPEC, 'node_modules/@redocly/cli/bin/cli.js')
const ROOTS = ['openapi', 'guide']

/** What a client of the contract notices. */
export interface Changes {
  readonly isBreaking: boolean
  /** Breaking changes, then safe ones, by operation, with headings of the third level and below. */
  readonly markdown: string
}

/**
 * A change in the report of `redocly diff`. Without verdicts, its impact is that of any addition or
 * other wording.
 */
interface Change {
  readonly path: string
  readonly kind: 'added' | 'removed' | 'modified'
  readonly impact: 'major' | 'minor' | 'patch'
  readonly property?: string
  readonly verdicts: readonly { readonly message: string }[]
  readonly base?: { readonly value?: readonly unknown[] }
  readonly revision?: { readonly value?: readonly unknown[] }
}

/** A change where a reader looks for it. */
interface Line {
  readonly operation: string
  readonly text: string
  readonly isBreaking: boolean
}

/** Of a raw document: an older version of the contract may not fit the table of today. */
type OperationNode = { readonly operationId?: string; readonly 'x-alias-of'?: string }
type OperationPart = 'paths' | 'webhooks'
type Document = Readonly<Record<OperationPart, Record<string, Record<string, OperationNode>>>>

interface Contracts {
  readonly before: Document
  readonly after: Document
}

function isCommit(ref: string, cwd: string): boolean {
  const flags = ['--verify', '--quiet', '--end-of-options']
  return git(cwd, 'rev-parse', ...flags, `${ref}^{commit}`) !== undefined
}

/** The tag of the last release, if there is one. */
export function lastRelease(cwd = SPEC): string | undefined {
  return git(cwd, 'describe', '--tags', '--abbrev=0', '--match', 'v*')
}

/** What git prints, unless it fails. */
function git(cwd: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Prints the changes, and returns the exit code. */
async function printChanges(ref: string, spec: string): Promise<number> {
  try {
    const { isBreaking, markdown } = await changesSince(ref, spec)
    process.stdout.write(`## Changes of the contract since ${ref}\n\n${markdown}`)
    return isBreaking ? 1 : 0
  } catch (error) {
    process.stderr.write(`changes: ${ref} could not be compared: ${(error as Error).message}\n`)
    return 2
  }
}

/**
 * The changes of the contract since a git ref, as Markdown, and whether one of them breaks clients.
 *
 * @throws {Error} if one of the two contracts cannot be bundled or compared
 */
export async function changesSince(ref: string, spec = SPEC): Promise<Changes> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  try {
    const tree = execFileSync('git', ['archive', ref, '.'], {
      cwd: spec,
      maxBuffer: 64 * 1024 * 1024,
    })
    execFileSync('tar', ['-x', '-C', folder], { input: tree })
    const lines: Line[] = []
    for (const root of ROOTS) lines.push(...(await compareDocuments(root, spec, folder)))
    return renderChanges(lines)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The changes of one of the two documents between a git ref and now.
 *
 * @param root `openapi`, or `guide` for the short paths.
 * @param folder The contract at the ref; gets the bundles too.
 */
async function compareDocuments(root: string, spec: string, folder: string): Promise<Line[]> {
  // Loaded late: it takes most of the time where nothing is compared.
  const { bundleInto } = await import('@partner-payments/spec/build')
  const base = join(folder, `${root}.base.json`)
  const revision = join(folder, `${root}.json`)
  await bundleInto(join(folder, `${root}.yaml`), base)
  await bundleInto(join(spec, `${root}.yaml`), revision)

  const before = readFileSync(base, 'utf8')
  const after = readFileSync(revision, 'utf8')
  // Most changes leave one of the two contracts unchanged, and a comparison takes seconds.
  if (before === after) return []
  const contracts: Contracts = { before: JSON.parse(before), after: JSON.parse(after) }
  return runRedoclyDiff(base, revision).flatMap((change) => toLines(change, contracts))
}

/** The changes between two bundled contracts, as `redocly diff` reports them. */
function runRedoclyDiff(base: string, revision: string): readonly Change[] {
  const output = `${revision}.diff`
  const config = join(SPEC, 'redocly.diff.yaml')
  const flags = ['--config', config, '--format', 'json', '--fail-on', 'none', '--output', output]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  execFileSync(process.execPath, [REDOCLY, 'diff', base, revision, ...flags], {
    env,
    stdio: 'pipe',
    timeout: 60_000,
  })
  return JSON.parse(readFileSync(output, 'utf8')).changes
}

/**
 * The lines of a change. A change of a whole path has one for each of its operations.
 *
 * The place of a change is `paths/<path>/<method>/…`, `webhooks/<event>/<method>/…`,
 * `components/<kind>/…`, or another part of the document, such as `info/…` or `servers/…`.
 */
function toLines(change: Change, contracts: Contracts): Line[] {
  const steps = stepsOf(`#${change.path}`)
  const [part, name = '', method, ...stepsInOperation] = steps
  if (isLeftOut(part, name)) return []

  const isBreaking = change.impact === 'major'
  const isOfOperations = part === 'paths' || part === 'webhooks'
  if (!isOfOperations)
    return [{ operation: 'the whole contract', isBreaking, text: describeChange(change, steps) }]

  const isOfWholePath = method === undefined || method === 'parameters'
  const changedKeys = isOfWholePath ? listKeys(contracts, part, name) : [method]
  const text = describeChange(change, isOfWholePath ? [] : stepsInOperation)
  const lines: Line[] = []
  for (const key of changedKeys) {
    if (!METHODS.has(key)) continue
    lines.push({ operation: nameOperation(contracts, part, name, key), isBreaking, text })
  }
  return lines
}

/** Whether changes of a part of the document have no line. */
function isLeftOut(part: string | undefined, name: string): boolean {
  const isForPeople = part === 'info'
  // A schema, parameter or response has a change where it is used too, because the bundles have no
  // references. A security scheme has not.
  const isShownElsewhere = part === 'components' && name !== 'securitySchemes'
  return isForPeople || isShownElsewhere
}

/** The keys of a path or an event: its methods and others. One that was removed is in the older contract. */
function listKeys({ after, before }: Contracts, part: OperationPart, name: string): string[] {
  return Object.keys(after[part]?.[name] ?? before[part]?.[name] ?? {})
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])

/** The name of an operation or an event in the list of changes, such as `getTransfer`. */
function nameOperation(
  { after, before }: Contracts,
  part: OperationPart,
  name: string,
  method: string,
): string {
  if (part === 'webhooks') return `event \`${name}\``

  const operation = after[part]?.[name]?.[method] ?? before[part]?.[name]?.[method]
  const alias = operation?.['x-alias-of']
  if (alias) return `\`${alias}\` (short path)`
  return `\`${operation?.operationId ?? name}\``
}

/** One line of Markdown about a change: what changed, and where in the request or response. */
function describeChange(change: Change, stepsInOperation: readonly string[]): string {
  const { property, path } = change
  const [verdict] = change.verdicts
  const place = describePlace(stepsInOperation)
  // A verdict is the sentence of a rule of Redocly that knows this change.
  if (verdict) return `${place}: ${escapeTags(verdict.message)}`

  const changedPath = property ? `${path}/${property}` : path
  const isWording = WORDING.test(changedPath)
  if (isWording) return 'descriptions, examples or marks changed'

  const subject = property ? `${place}: \`${property}\`` : `${place}:`
  return `${subject} ${describeKind(change)}`
}

const CHANGED = { added: 'added', removed: 'removed', modified: 'changed' } as const

/** What happened to a value, such as "added", or to an enum: "gained `key`, lost `phone`". */
function describeKind({ kind, property, base, revision }: Change): string {
  const before = base?.value
  const after = revision?.value
  const isEnum = property === 'enum' && before !== undefined && after !== undefined
  if (!isEnum) return CHANGED[kind]

  const changes: string[] = []
  for (const value of after) if (!before.includes(value)) changes.push(`gained \`${value}\``)
  for (const value of before) if (!after.includes(value)) changes.push(`lost \`${value}\``)
  return changes.length > 0 ? changes.join(', ') : CHANGED[kind]
}

/** The path of what no program reads, which is not a field of that name. */
const WORDING = /(?<!\/properties)\/(description|summary|title|tags|examples?|x-[^/]+)(\/|$)/

/** Where in an operation a change is, such as "response 201, `data.amount`". */
function describePlace([part = 'operation', name = '', ...rest]: readonly string[]): string {
  const fields = rest.filter((_, index) => rest[index - 1] === 'properties')
  const field = fields.length > 0 ? `, \`${fields.join('.')}\`` : ''
  if (part === 'requestBody') return `request body${field}`
  if (part !== 'responses') return name ? `${part} \`${name}\`` : part

  // The error responses share their fields.
  const isError = name.startsWith('4') || name.startsWith('5')
  if (isError && fields.length > 0) return `errors${field}`
  return `response ${name}${field}`
}

/** A page of the docs reads `<` as a tag. */
function escapeTags(text: string): string {
  return text.replaceAll('<', '&lt;')
}

/** The changes as Markdown: breaking ones first. */
function renderChanges(lines: readonly Line[]): Changes {
  if (lines.length === 0) return { isBreaking: false, markdown: 'No changes.\n' }

  const breaking = lines.filter(({ isBreaking }) => isBreaking)
  const safe = lines.filter(({ isBreaking }) => !isBreaking)
  const sections = [...writeSection('Breaking', breaking), ...writeSection('Safe', safe)]
  return { isBreaking: breaking.length > 0, markdown: `${sections.join('\n\n')}\n` }
}

/** The name of a schema in a message of Redocly. */
const NAMED_PROPERTIES = /(?<=: Properties) of `[^`]+`/

/**
 * The lines of changes below one title, as Markdown. Operations with the same changes share a
 * heading.
 */
function writeSection(title: string, lines: readonly Line[]): string[] {
  if (lines.length === 0) return [`### ${title}: none`]

  const operationsByList = new Map<string, string[]>()
  for (const [operation, linesOfOperation] of Map.groupBy(lines, (line) => line.operation)) {
    const list = listChanges(linesOfOperation)
    const operations = operationsByList.get(list) ?? []
    operationsByList.set(list, [...operations, operation])
  }
  const parts = [`### ${title}`]
  for (const [list, operations] of operationsByList)
    parts.push(`#### ${operations.join(', ')}\n\n${list}`)
  return parts
}

/** The changes as a list of Markdown, each once. */
function listChanges(lines: readonly Line[]): string {
  const items = new Set(lines.map(({ text }) => `- ${text}`))
  // An alternative of a schema is compared twice, once with its name.
  for (const item of items)
    if (NAMED_PROPERTIES.test(item)) items.delete(item.replace(NAMED_PROPERTIES, ''))
  return [...items].join('\n')
}

if (import.meta.main) {
  const { spec, ref } = readScriptArguments(
    'changes',
    {
      about:
        'Prints as Markdown what changed for clients since the last release, or since a git ref.',
      operands: {
        usage: '[ref]',
        help: 'a tag, a branch or a commit; by default the last release',
      },
      options: {
        spec: { value: 'folder', help: 'compare this folder', default: SPEC },
      },
      examples: ['', 'main'],
      exitCodes:
        '0 nothing breaks clients, or nothing was released yet, 1 breaking changes, 2 wrong arguments, or not compared',
    },
    ({ values: { spec }, operands: [ref] }) => {
      if (ref && !isCommit(ref, spec))
        throw new Error(`"${ref}" is not a tag, a branch or a commit of git`)
      return { spec, ref: ref ?? lastRelease(spec) }
    },
  )
  if (ref) process.exitCode = await printChanges(ref, spec)
  else
    process.stderr.write('No release of the contract yet, so there is nothing to compare with.\n')
}
