import { writeFile } from 'node:fs/promises'
import { bundle, createConfig } from '@redocly/openapi-core'

/**
 * Bundles a root into one file of JSON, without our rules: a released contract followed others.
 *
 * @example
 * await bundleInto('spec/openapi.yaml', 'bundle.json')
 *
 * @throws {Error} where the root, or what it refers to, cannot be read.
 */
export async function bundleInto(root: string, out: string): Promise<void> {
  const { bundle: bundled, problems } = await bundle({ ref: root, config: await createConfig({}) })
  const [wrong] = problems.filter(({ severity }) => severity === 'error')
  if (wrong) throw new Error(`${root} could not be bundled: ${wrong.message}`)
  await writeFile(out, JSON.stringify(bundled.parsed))
}
