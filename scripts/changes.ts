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
type Document = Readonly<
  Record<'paths' | 'webhooks', Record<string, Record<string, OperationNode>>>
>

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
  const [part, name = '', method, ...rest] = steps
  const isBreaking = change.impact === 'major'

  // `info` is for people.
  if (part === 'info') return []

  // A schema, parameter or response has a change where it is used too, because the bundles have no
  // references. A security scheme has not.
  if (part === 'components' && name !== 'securitySchemes') return []

  const isOfOperations = part === 'paths' || part === 'webhooks'
  if (!isOfOperations)
    return [{ operation: 'the whole contract', isBreaking, text: describeChange(change, steps) }]

  // A path that was removed is in the older contract alone.
  const item = findInNewest(contracts, (contract) => contract[part]?.[name]) ?? {}
  const isOfWholePath = method === undefined || method === 'parameters'
  const changedKeys = isOfWholePath ? Object.keys(item) : [method]
  const isOperation = (key: string) =>
    findInNewest(contracts, (contract) => contract[part]?.[name]?.[key]) !== undefined
  const methods = changedKeys.filter((key) => METHODS.has(key) && isOperation(key))
  const text = describeChange(change, isOfWholePath ? [] : rest)
  return methods.map((changedMethod) => ({
    operation: nameOperation(contracts, part, name, changedMethod),
    isBreaking,
    text,
  }))
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])

/** What is found in the new contract; in the old one, if it was removed. */
function findInNewest<Value>(
  { after, before }: Contracts,
  find: (contract: Document) => Value | undefined,
): Value | undefined {
  return find(after) ?? find(before)
}

/** The name of an operation or an event in the list of changes, such as `getTransfer`. */
function nameOperation(
  contracts: Contracts,
  part: 'paths' | 'webhooks',
  name: string,
  method: string,
): string {
  if (part === 'webhooks') return `event \`${name}\``

  const operation = findInNewest(contracts, (contract) => contract[part]?.[name]?.[method])
  const alias = operation?.['x-alias-of']
  if (alias) return `\`${alias}\` (short path)`
  return `\`${operation?.operationId ?? name}\``
}

/** One line of Markdown about a change: what changed, and where in the request or response. */
function describeChange(
  { kind, property, verdicts, path, ...values }: Change,
  stepsInOperation: readonly string[],
): string {
  const [verdict] = verdicts
  const place = describePlace(stepsInOperation)
  // A verdict is the sentence of a rule of Redocly that knows this change.
  if (verdict) return `${place}: ${escapeTags(verdict.message)}`

  const changedPath = property ? `${path}/${property}` : path
  if (WORDING.test(changedPath)) return 'descriptions, examples or marks changed'

  const change = describeEnumChange(property, values) || CHANGED[kind]
  return property ? `${place}: \`${property}\` ${change}` : `${place}: ${change}`
}

const CHANGED = { added: 'added', removed: 'removed', modified: 'changed' } as const

/**
 * The values that an enum gained and lost, such as "gained `key`, lost `phone`"; empty for another
 * change.
 */
function describeEnumChange(
  property = '',
  { base, revision }: Pick<Change, 'base' | 'revision'>,
): string {
  if (property !== 'enum' || !base?.value || !revision?.value) return ''
  const before = base.value
  const after = revision.value
  const gained = after.filter((value) => !before.includes(value))
  const lost = before.filter((value) => !after.includes(value))
  return [
    ...gained.map((value) => `gained \`${value}\``),
    ...lost.map((value) => `lost \`${value}\``),
  ].join(', ')
}

/** The path of what no program reads, which is not a field of that name. */
const WORDING = /(?<!\/properties)\/(description|summary|title|tags|examples?|x-[^/]+)(\/|$)/

/**
 * Where in an operation a change is, such as "response 201, `data.amount`". The error responses
 * share their fields, so a field of one is called that of `errors`.
 */
function describePlace([part = 'operation', name = '', ...rest]: readonly string[]): string {
  const fields = rest.filter((_, index) => rest[index - 1] === 'properties')
  const field = fields.length > 0 ? `, \`${fields.join('.')}\`` : ''
  if (part === 'responses') {
    const isError = name.startsWith('4') || name.startsWith('5')
    return isError && field ? `errors${field}` : `response ${name}${field}`
  }
  if (part === 'requestBody') return `request body${field}`
  return name ? `${part} \`${name}\`` : part
}

/** A page of the docs reads `<` as a tag. */
function escapeTags(text: string): string {
  return text.replaceAll('<', '&lt;')
}

/** The changes as Markdown: breaking ones first. */
function renderChanges(lines: readonly Line[]): Changes {
  const breaking = lines.filter(({ isBreaking }) => isBreaking)
  const safe = lines.filter(({ isBreaking }) => !isBreaking)
  if (lines.length === 0) return { isBreaking: false, markdown: 'No changes.\n' }

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
  const byOperation = Map.groupBy(lines, ({ operation }) => operation)
  const lists = [...byOperation].map(([operation, linesOfOperation]) => ({
    operation,
    list: listChanges(linesOfOperation),
  }))
  const parts = [...Map.groupBy(lists, ({ list }) => list)].map(([list, listsWithSameText]) => {
    const operations = listsWithSameText.map(({ operation }) => operation)
    return `#### ${operations.join(', ')}\n\n${list}`
  })
  return [`### ${title}`, ...parts]
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
