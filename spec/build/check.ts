import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  bundle,
  createConfig,
  formatProblems,
  getTotals,
  lint,
  loadConfig,
  type NormalizedProblem,
} from '@redocly/openapi-core'
import type { Node } from '../lint/marks.ts'

export interface Checked {
  readonly contract: Node
  readonly problems: readonly NormalizedProblem[]
}

/** Lints and bundles one root. A warning, such as a renamed component, counts as a problem. */
export async function check(spec: string, root: 'openapi' | 'guide'): Promise<Checked> {
  const config = (await configOf(spec)).forAlias(root)
  const ofLint = await lint({ ref: join(spec, `${root}.yaml`), config })
  const { contract, problems: ofBundle } = await bundled(spec, root)
  const problems = [...ofLint, ...ofBundle].filter(({ ignored }) => !ignored)
  return { contract, problems }
}

/** Bundles one root. */
export async function bundled(spec: string, root: 'openapi' | 'guide'): Promise<Checked> {
  const config = (await configOf(spec)).forAlias(root)
  const { bundle: document, problems } = await bundle({ ref: join(spec, `${root}.yaml`), config })
  return { contract: document.parsed as Node, problems }
}

/** Lints the Arazzo workflows. */
export async function checkWorkflows(spec: string): Promise<NormalizedProblem[]> {
  const config = await configOf(spec)
  const files = await readdir(join(spec, 'workflows'))
  const problems = await Promise.all(
    files.map((file) => lint({ ref: join(spec, 'workflows', file), config })),
  )
  return problems.flat()
}

function configOf(spec: string) {
  return loadConfig({ configPath: join(spec, 'redocly.yaml') })
}

/** Formats each problem with its file, line and rule. */
export function printProblems(problems: NormalizedProblem[]): void {
  if (problems.length === 0) return
  formatProblems(problems, { format: 'codeframe', totals: getTotals(problems), version: '' })
}

/**
 * Bundles a root into one JSON file without references. Skips the lint rules, which a released
 * contract may not satisfy.
 *
 * @example
 * await bundleInto('spec/openapi.yaml', 'bundle.json')
 *
 * @throws {Error} if the root or a referenced file cannot be read.
 */
export async function bundleInto(root: string, out: string): Promise<void> {
  const { bundle: bundled, problems } = await bundle({
    ref: root,
    config: await createConfig(),
    dereference: true,
  })
  const error = problems.find(({ severity }) => severity === 'error')
  if (error) throw new Error(`${root} could not be bundled: ${error.message}`)
  await writeFile(out, JSON.stringify(bundled.parsed))
}
