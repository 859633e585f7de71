import { writeFile } from 'node:fs/promises'
import { bundle, createConfig } from '@redocly/openapi-core'

/**
 * Bundles a root into one JSON file without references. Skips the lint rules, which a released contract may not satisfy.
 *
 * @example
 * await bundleInto('spec/openapi.yaml', 'bundle.json')
 *
 * @throws {Error} if the root or a referenced file cannot be read.
 */
export async function bundleInto(root: string, out: string): Promise<void> {
  const { bundle: bundled, problems } = await bundle({
    ref: root,
    config: await createConfig({}),
    dereference: true,
  })
  const [wrong] = problems.filter(({ severity }) => severity === 'error')
  if (wrong) throw new Error(`${root} could not be bundled: ${wrong.message}`)
  await writeFile(out, JSON.stringify(bundled.parsed))
}
