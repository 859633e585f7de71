import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { entriesOf, type Manifest } from './entries.ts'

/** Without a stack trace. Not 1, because the checker's 1 means findings. */
const EXIT = "process.stderr.write(message + '\\n')\n  process.exit(2)"
const THROW = 'throw new Error(message)'

/**
 * Lets the compiled entries of a package with a command refuse an older Node than its `engines`. The check is the first
 * import of each entry, so it runs before any module that fails there.
 */
export function requireNode(home: string, manifest: Manifest): void {
  if (!manifest.bin) return
  const { name, engines } = manifest
  for (const { command, packed } of entriesOf(manifest))
    if (command)
      importFirst(home, packed, ['dist/require-node-to-run.js', checkOf(command, engines.node, EXIT)])
    else importFirst(home, packed, ['dist/require-node.js', checkOf(name, engines.node, THROW)])
}

function importFirst(home: string, entry: string, [check, code]: readonly [string, string]): void {
  writeFileSync(join(home, check), code)
  const text = readFileSync(join(home, entry), 'utf8')
  const afterShebang = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0
  const path = relative(dirname(join(home, entry)), join(home, check)).replaceAll('\\', '/')
  const statement = `import '${path.startsWith('.') ? path : `./${path}`}'\n`
  writeFileSync(join(home, entry), text.slice(0, afterShebang) + statement + text.slice(afterShebang))
}

function checkOf(name: string, needed: string, refuse: string): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(needed) ?? []
  if (!major) throw new Error(`engines.node of ${name} must be like >=24.18, got "${needed}"`)
  return `const [major, minor] = process.versions.node.split('.').map(Number)
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  const message = \`${name} needs Node ${major}.${minor} or later; this is \${process.versions.node}\`
  ${refuse}
}
`
}
