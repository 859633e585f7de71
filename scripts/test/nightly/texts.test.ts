import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { listPages, withTarballNames } from '../../versions.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const manifest = (folder: string) => JSON.parse(read(join(folder, 'package.json')))

const { scripts, packageManager } = manifest('.')
const [, PNPM] = /^(pnpm@\d+)\./.exec(packageManager) ?? []
const FOLDERS = ['{spec,docs,scripts}', '{packages,examples}/*', 'scripts/{bench,testing}']
const folders = globSync(FOLDERS, { cwd: ROOT })
const manifests = folders.map((folder) => ({ folder, ...manifest(folder) }))

/**
 * The file of each command: the scripts of the repository that end with a program, and the commands
 * of the packages.
 */
const programs = new Map<string, string>()
for (const [name, script] of Object.entries<string>(scripts)) {
  const [, file] = /node (?:--[\w=-]+ )*([\w/.-]+\.[jt]s)$/.exec(script) ?? []
  if (file) programs.set(name, file)
}
for (const { folder, bin = {} } of manifests)
  for (const [name, file] of Object.entries<string>(bin)) programs.set(name, join(folder, file))

/**
 * Texts that people copy from: pages, messages in the code, and what the commands print for
 * `--help`.
 */
async function texts(): Promise<[name: string, text: string][]> {
  const sources = globSync(['packages/*/src/**/*.ts', 'scripts/*.ts', 'docs/build/**/*.{ts,js}'], {
    cwd: ROOT,
    exclude: ['**/generated/**'],
  })
  const files = [...listPages(), ...sources].map((file): [string, string] => [file, read(file)])
  const usages = [...programs.keys()].map(
    async (name): Promise<[string, string]> => [`${name} --help`, await usageOf(name)],
  )
  return [...files, ...(await Promise.all(usages))]
}

it('names only commands, flags, paths and versions that exist', async () => {
  const commands = (await texts()).flatMap(([name, text]) =>
    commandsIn(text).map((command) => ({ name, command })),
  )
  expect(commands.length).toBeGreaterThan(100)

  const checked = commands.map(async ({ name, command }) => {
    const problems = await problemsOf(command)
    return problems.map((problem) => `${name}: ${command}: ${problem}`)
  })
  expect((await Promise.all(checked)).flat()).toEqual([])
})

it.each([
  { command: 'npx -y pnpm@11 dev', problem: 'pnpm@11 is not the pnpm of the repository' },
  { command: 'npx -y pnpm@12 develop', problem: 'develop is no script' },
  { command: 'npx -y pnpm@12 dev --port 1', problem: '--port is no flag' },
  {
    command: 'npx -y pnpm@12 exec node docs/samples/pay.ts',
    problem: 'docs/samples/pay.ts does not exist',
  },
  { command: 'npx -y pnpm@12 exec prisme mock', problem: 'prisme is no command' },
  {
    command: 'npx -y pnpm@12 --filter @partner-payments/client run-times',
    problem: 'run-times is no script',
  },
  {
    command: 'partner-payments-checker --target URL',
    problem: 'partner-payments-checker is no command',
  },
  { command: 'npx partner-payments sandbox --memori', problem: '--memori is no flag' },
  { command: 'partner-payments triger qrcode.paid', problem: 'triger is no subcommand' },
  { command: 'partner-payments trigger qrcode.payed', problem: 'qrcode.payed is no subcommand' },
])('notices $command', async ({ command, problem }) => {
  expect(commandsIn(`Run \`${command}\`.`)).toEqual([command])
  expect(await problemsOf(command)).toEqual([problem])
})

const ownPrograms = [...programs].filter(([, file]) => file.startsWith('scripts/'))
const ownNames = ownPrograms.map(([name]) => name)

it.each(ownNames)('%s prints its name and two examples for --help', async (name) => {
  const usage = await usageOf(name)
  const command = `npx -y pnpm@12 ${name}`
  expect(usage).toMatch(new RegExp(`^Usage: ${command} [[<]`))
  expect(usage).toMatch(
    new RegExp(`\nExamples:\n(  ${command}( .+)?\n){2}\n(.+\n\n)?Exit codes: 0 .+\\.\n$`),
  )
})

it.each<{ name: string; args: readonly string[] }>([
  // Prism reads its flags itself.
  ...ownNames.filter((name) => name !== 'prism').map((name) => ({ name, args: ['--bogus'] })),
  { name: 'flows', args: ['--target', 'nope'] },
  { name: 'flows', args: ['nope'] },
  { name: 'changes', args: ['nope'] },
  { name: 'pack:all', args: ['one', 'two'] },
  { name: 'prism', args: ['nope'] },
  { name: 'versions', args: ['nope'] },
])('$name refuses $args with exit code 2 and one message', ({ name, args }) => {
  const file = join(ROOT, programs.get(name) ?? '')
  const { status, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(status).toBe(2)
  const [message, advice, ...others] = stderr.split('\n')
  expect(message).toMatch(/^error: .*(?:\bnope\b|--bogus|one, two)/)
  expect(advice).toBe(`Run \`npx -y pnpm@12 ${name} --help\` for the options.`)
  expect(others).toEqual([''])
})

it('names tarballs by their present version', () => {
  expect(listPages().filter((file) => withTarballNames(read(file)) !== read(file))).toEqual([])
})

it('names only files that exist', () => {
  const missing = listPages().flatMap((file) => missingIn(file).map((path) => `${file}: ${path}`))
  expect(missing).toEqual([])
})

it.each([
  { file: 'README.md', text: 'Read [this](docs/nowhere.md).', path: 'docs/nowhere.md' },
  {
    file: 'docs/guides/errors.md',
    text: 'Look into `spec/nowhere.yaml`.',
    path: 'spec/nowhere.yaml',
  },
])('notices in $file: $text', ({ file, text, path }) => {
  expect(missingIn(file, text)).toEqual([path])
})

/**
 * The files of links and code spans that do not exist, but for pages of the code host. The test of
 * the site follows its own links.
 */
function missingIn(file: string, text = read(file)): string[] {
  const isOfSite = ['guides', 'home', 'rules'].some((name) => file.startsWith(`docs/${name}/`))
  const links = isOfSite ? [] : targetsOf(text, LINK)
  const missingLinks = links.filter((path) => !existsSync(join(ROOT, dirname(file), path)))

  const isOfFolder = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`))
  const spans = targetsOf(text, /`([a-z]+\/[\w./-]+)`/g).filter(isOfFolder)
  const missingSpans = spans.filter((path) => !isThere(path))
  return [...missingLinks, ...missingSpans]
}

const LINK = /\]\((?!\.\.\/\.\.\/(?:releases|security)\/)([\w./-]+)(?:#[^)]*)?\)/g

function targetsOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, path = '']) => path)
}

/** The commands of this repository in code blocks, code spans and strings, each on one line. */
function commandsIn(text: string): string[] {
  const start = String.raw`(?:npx (?:-y )?(?:-p \S+ )?)?(?:pnpm@\d+|partner-payments(?:-[a-z]+)?) `
  const command = new RegExp(`^ *(?:\\w+=\\S+ )*(${start}.*)$|([\`"'])(${start}.*?)\\2`, 'gm')
  const onOneLine = text.replaceAll(/ ?\\\n\s*/g, ' ')
  const commands = Array.from(onOneLine.matchAll(command), ([, line, , span = '']) => {
    // What follows is a comment, another command, or an expression.
    return (line ?? span).replace(/ {2,}.*| *([|;&#>]|\$\{).*/, '').trim()
  })
  return commands.filter((each) => !/(pnpm@\d+|npx)$/.test(each))
}

async function problemsOf(command: string): Promise<string[]> {
  const words = command.replace(/^npx (-y )?(-p \S+ )?/, '').split(/ +/)
  const [program = '', first = '', second = '', third = ''] = words
  if (!program.startsWith('pnpm@')) return problemsOfProgram(program, words.slice(1))
  if (program !== PNPM) return [`${program} is not the pnpm of the repository`]

  if (first === 'install') return []
  if (first === '--filter') return third in scriptsOf(second) ? [] : [`${third} is no script`]
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
  const hasSubcommand = program === 'partner-payments' && /^[a-z]+$/.test(first)
  if (!hasSubcommand) return problemsOfUsage(await usageOf(program), words)

  const isListed = new RegExp(`^ {2}${first}\\b`, 'm').test(await usageOf(program))
  if (!isListed) return [`${first} is no subcommand`]
  return problemsOfUsage(await usageOf(program, first), words.slice(1))
}

function problemsOfUsage(usage: string, words: readonly string[]): string[] {
  const problems: string[] = []
  const [first = ''] = words
  const isFile = first.endsWith('.json')
  const isName = /^[a-z][a-z.]+$/.test(first) && !isFile
  if (isName && !usage.includes(first)) problems.push(`${first} is no subcommand`)

  for (const word of words) {
    const [flag] = /^--[a-z-]+/.exec(word) ?? []
    if (!flag) continue
    const isFlag = new RegExp(`${flag}(?![a-z-])`).test(usage)
    if (!isFlag) problems.push(`${flag} is no flag`)
  }
  return problems
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
  const { stdout } = await run(process.execPath, [join(ROOT, file), ...words, '--help'])
  return stdout
}

function scriptsOf(name: string): object {
  return manifests.find((manifest) => manifest.name === name)?.scripts ?? {}
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
