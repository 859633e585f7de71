import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { pages, withTarballNames } from '../../versions.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const manifest = (folder: string) => JSON.parse(read(join(folder, 'package.json')))

const { scripts, packageManager } = manifest('.')
const [, PNPM] = /^(pnpm@\d+)\./.exec(packageManager) ?? []
const folders = globSync(
  ['{spec,docs,scripts}', '{packages,examples}/*', 'scripts/{bench,testing}'],
  {
    cwd: ROOT,
  },
)
const manifests = folders.map((folder) => ({ folder, ...manifest(folder) }))

/**
 * The file of each command: the scripts of the repository that end with a program, and the commands
 * of the packages.
 */
const programs = new Map<string, string>([
  ...Object.entries<string>(scripts).flatMap(([name, script]): [string, string][] => {
    const [, file] = /node ([\w/.-]+\.[jt]s)$/.exec(script) ?? []
    return file ? [[name, file]] : []
  }),
  ...manifests.flatMap(({ folder, bin = {} }) =>
    Object.entries<string>(bin).map(([name, file]): [string, string] => [name, join(folder, file)]),
  ),
])

/**
 * Texts that people copy from: pages, messages in the code, and what the commands print for
 * `--help`.
 */
async function texts(): Promise<[name: string, text: string][]> {
  const sources = globSync(['packages/*/src/**/*.ts', 'scripts/*.ts', 'docs/build/**/*.{ts,js}'], {
    cwd: ROOT,
    exclude: ['**/generated/**'],
  })
  const files = [...pages(), ...sources].map((file): [string, string] => [file, read(file)])
  const usages = [...programs.keys()].map(
    async (name): Promise<[string, string]> => [`${name} --help`, await usageOf(name)],
  )
  return [...files, ...(await Promise.all(usages))]
}

it('names only commands, flags, paths and versions that exist', async () => {
  const found = (await texts()).flatMap(([name, text]) =>
    commandsIn(text).map((command) => ({ name, command })),
  )
  expect(found.length).toBeGreaterThan(100)
  const checked = found.map(async ({ name, command }) =>
    (await problemsOf(command)).map((problem) => `${name}: ${command}: ${problem}`),
  )
  expect((await Promise.all(checked)).flat()).toEqual([])
})

it.each([
  ['npx -y pnpm@11 dev', 'pnpm@11 is not the pnpm of the repository'],
  ['npx -y pnpm@12 develop', 'develop is no script'],
  ['npx -y pnpm@12 dev --port 1', '--port is no flag'],
  ['npx -y pnpm@12 exec node docs/samples/pay.ts', 'docs/samples/pay.ts does not exist'],
  ['npx -y pnpm@12 exec prisme mock', 'prisme is no command'],
  ['npx -y pnpm@12 --filter @partner-payments/client run-times', 'run-times is no script'],
  ['partner-payments-checker --target URL', 'partner-payments-checker is no command'],
  ['npx partner-payments sandbox --memori', '--memori is no flag'],
  ['partner-payments triger qrcode.paid', 'triger is no subcommand'],
  ['partner-payments trigger qrcode.payed', 'qrcode.payed is no subcommand'],
])('notices %s', async (command, problem) => {
  expect(commandsIn(`Run \`${command}\`.`)).toEqual([command])
  expect(await problemsOf(command)).toEqual([problem])
})

const own = [...programs].filter(([, file]) => file.startsWith('scripts/'))

it.each(own)('%s prints its name and two examples for --help', async (name) => {
  const usage = await usageOf(name)
  const command = `npx -y pnpm@12 ${name}`
  expect(usage).toMatch(new RegExp(`^Usage: ${command} [[<]`))
  expect(usage).toMatch(
    new RegExp(`\nExamples:\n(  ${command}( .+)?\n){2}\nExit codes: 0 .+\\.\n$`),
  )
})

it.each<[name: string, ...args: string[]]>([
  // Prism reads its flags itself.
  ...own.flatMap(([name]): [string, string][] => (name === 'prism' ? [] : [[name, '--bogus']])),
  ['flows', '--target', 'nope'],
  ['flows', 'nope'],
  ['changes', 'nope'],
  ['pack:all', 'one', 'two'],
  ['prism', 'nope'],
  ['versions', 'nope'],
])('%s refuses %s %s with exit code 2 and one message', (name, ...args) => {
  const file = join(ROOT, programs.get(name) ?? '')
  const { status, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(status).toBe(2)
  expect(stderr).toMatch(new RegExp(`^${name}: `))
  expect(stderr.match(/\bnope\b|--bogus|one folder/g)).toHaveLength(1)
  expect(stderr).not.toMatch(/\n +at /)
})

it('names tarballs by their present version', () => {
  expect(pages().filter((file) => withTarballNames(read(file)) !== read(file))).toEqual([])
})

it('names only files that exist', () => {
  const missing = pages().flatMap((file) => missingIn(file).map((path) => `${file}: ${path}`))
  expect(missing).toEqual([])
})

it.each([
  ['README.md', 'Read [this](docs/nowhere.md).', 'docs/nowhere.md'],
  ['docs/guides/errors.md', 'Look into `spec/nowhere.yaml`.', 'spec/nowhere.yaml'],
])('notices in %s: %s', (file, text, path) => {
  expect(missingIn(file, text)).toEqual([path])
})

/**
 * The files of links and code spans that do not exist, but for pages of the code host. The test of
 * the site follows its own links.
 */
function missingIn(file: string, text = read(file)): string[] {
  const links = /^docs\/(guides|home|rules)\//.test(file)
    ? []
    : targetsOf(text, /\]\((?!\.\.\/\.\.\/(?:releases|security)\/)([\w./-]+)(?:#[^)]*)?\)/g)
  const spans = targetsOf(text, /`([a-z]+\/[\w./-]+)`/g).filter((path) =>
    folders.some((folder) => path.startsWith(`${folder}/`)),
  )
  return [
    ...links.filter((path) => !existsSync(join(ROOT, dirname(file), path))),
    ...spans.filter((path) => !isThere(path)),
  ]
}

function targetsOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, path = '']) => path)
}

/** The commands of this repository in code blocks, code spans and strings, each on one line. */
function commandsIn(text: string): string[] {
  const start = String.raw`(?:npx (?:-y )?(?:-p \S+ )?)?(?:pnpm@\d+|partner-payments(?:-[a-z]+)?) `
  const command = new RegExp(`^ *(?:\\w+=\\S+ )*(${start}.*)$|([\`"'])(${start}.*?)\\2`, 'gm')
  return [...text.replaceAll(/ ?\\\n\s*/g, ' ').matchAll(command)]
    .map(([, line, , span = '']) => (line ?? span).replace(/ {2,}.*| *([|;&#>]|\$\{).*/, '').trim())
    .filter((it) => !/(pnpm@\d+|npx)$/.test(it))
}

async function problemsOf(command: string): Promise<string[]> {
  const words = command.replace(/^npx (-y )?(-p \S+ )?/, '').split(/ +/)
  const [program = '', first = '', second = '', third = ''] = words
  if (!program.startsWith('pnpm@')) return problemsOfProgram(program, words.slice(1))
  if (program !== PNPM) return [`${program} is not the pnpm of the repository`]
  if (first === '--filter') return third in scriptsOf(second) ? [] : [`${third} is no script`]
  if (first === 'install') return []
  if (first === 'exec' && second === 'node')
    return isThere(third) ? [] : [`${third} does not exist`]
  if (first === 'exec') return hasCommand(second) ? [] : [`${second} is no command`]
  if (!(first in scripts)) return [`${first} is no script`]
  return programs.has(first) ? problemsOfProgram(first, words.slice(2)) : []
}

/** Looks for flags, and for the first words, in what the command prints for `--help`. */
async function problemsOfProgram(program: string, words: readonly string[]): Promise<string[]> {
  if (!programs.has(program)) return [`${program} is no command`]
  const [first = ''] = words
  const isGroup = program === 'partner-payments' && /^[a-z]+$/.test(first)
  const own = isGroup ? await usageOf(program) : ''
  if (isGroup && !new RegExp(`^ {2}${first}\\b`, 'm').test(own))
    return [`${first} is no subcommand`]
  const usage = isGroup ? await usageOf(program, first) : await usageOf(program)
  const [named = ''] = isGroup ? words.slice(1) : words
  const flags = words.map((word) => /^--[a-z-]+/.exec(word)?.[0] ?? '').filter(Boolean)
  return [
    ...(/^[a-z][a-z.]+$/.test(named) && !usage.includes(named)
      ? [`${named} is no subcommand`]
      : []),
    ...flags
      .filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(usage))
      .map((flag) => `${flag} is no flag`),
  ]
}

const usages = new Map<string, Promise<string>>()

/** What a command prints for `--help`. */
function usageOf(...command: readonly [name: string, ...words: string[]]): Promise<string> {
  const key = command.join(' ')
  const usage = usages.get(key) ?? readUsage(...command)
  usages.set(key, usage)
  return usage
}

async function readUsage(name: string, ...words: readonly string[]): Promise<string> {
  const file = programs.get(name) ?? ''
  const run = promisify(execFile)
  return (await run(process.execPath, [join(ROOT, file), ...words, '--help'])).stdout
}

function scriptsOf(name: string): object {
  return manifests.find((it) => it.name === name)?.scripts ?? {}
}

function hasCommand(name: string): boolean {
  return ['.', ...folders].some((folder) =>
    existsSync(join(ROOT, folder, 'node_modules/.bin', name)),
  )
}

/**
 * Whether a file is in the repository or in one of its packages, or is one that a page tells the
 * reader to save.
 */
function isThere(path: string): boolean {
  if (path === '' || path.endsWith('first.ts')) return true
  return ['.', ...folders].some((folder) => existsSync(join(ROOT, folder, path)))
}
