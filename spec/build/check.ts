import { writeFile } from 'node:fs/promises'
import {
  bundle,
  createConfig,
  formatProblems,
  getTotals,
  type NormalizedProblem,
} from '@redocly/openapi-core'

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
