/**
 * `npx -y pnpm@12 exec node scripts/architecture.ts` draws the picture in ARCHITECTURE.md anew, from
 * the imports of the packages.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, 'ARCHITECTURE.md')

/** The code that runs: not tests, benchmarks and examples. */
const SOURCES = ['spec/{build,lint,answer}/**/*.ts', 'docs/build/**/*.ts', 'packages/*/src/**/*.ts']

/** The package that a line imports from; lines of comments begin with a star or slashes. */
const IMPORT = /^(?!\s*(?:\*|\/)).*['"]@partner-payments\/([a-z-]+)/gm

/** Package names by the name of the package that imports them. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** Which packages each package imports: `client` maps to `contract` and `webhooks`, for example. */
function readImports(): Imports {
  const imports = new Map<string, Set<string>>()
  for (const path of globSync(SOURCES, { cwd: ROOT })) {
    const [first = '', second = ''] = path.split(/[\\/]/)
    const importer = first === 'packages' ? second : first
    const imported = imports.get(importer) ?? new Set()
    imports.set(importer, imported)
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const [, name = ''] of text.matchAll(IMPORT)) {
      if (name !== importer) imported.add(name)
    }
  }
  return imports
}

/** Whether one package imports another one through a third. */
function isImplied(from: string, to: string, imports: Imports): boolean {
  const others = [...(imports.get(from) ?? [])].filter((name) => name !== to)
  return others.some((other) => isReached(other, to, imports))
}

function isReached(from: string, to: string, imports: Imports): boolean {
  const direct = [...(imports.get(from) ?? [])]
  return direct.some((name) => name === to || isReached(name, to, imports))
}

/**
 * The packages as a Mermaid graph. An arrow that others imply (a imports b, b imports c, so a to c)
 * is left out.
 */
function drawPicture(imports: Imports): string {
  const arrows: string[] = []
  for (const [from, imported] of imports) {
    for (const to of imported) {
      if (!isImplied(from, to, imports)) arrows.push(`  ${from} --> ${to}`)
    }
  }
  return ['```mermaid', 'graph TD', ...arrows.sort(), '```'].join('\n')
}

/** Replaces the picture in the text of ARCHITECTURE.md by one of the imports as they are. */
export function redraw(text: string): string {
  const picture = drawPicture(readImports())
  return text.replace(/```mermaid\n.*?```/s, () => picture)
}

if (import.meta.main) writeFileSync(FILE, redraw(readFileSync(FILE, 'utf8')))
