import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from '../tarballs.ts'

/** The packages that only nightly tests need have an install of their own. */
const TOOL = join(ROOT, 'scripts/tools/node_modules/@microsoft/jest-sarif/package.json')

interface Text {
  readonly text?: string
}

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly Rule[] } }
    readonly results: readonly Result[]
  }[]
}

interface Rule {
  readonly id: string
  readonly shortDescription?: Text
  readonly fullDescription?: Text
  readonly help?: Text
}

interface Result {
  readonly message: Text
  readonly partialFingerprints?: object
  readonly locations?: readonly {
    readonly physicalLocation?: {
      readonly artifactLocation?: { readonly uri?: string }
      readonly region?: { readonly startLine?: number }
    }
  }[]
}

/** Characters of a description, and results of a run (GitHub, "SARIF support for code scanning"). */
const LONGEST = 1024
const MOST_RESULTS = 25_000

/** Why GitHub would refuse a SARIF file, or leave a part of it out. */
export function complaintsOfGitHub(log: Log): string[] {
  const complaints = schemaErrors(log)
  for (const { tool, results } of log.runs) {
    if (results.length > MOST_RESULTS) complaints.push('too many results')
    for (const rule of tool.driver.rules) complaints.push(...ofRule(rule))
    for (const result of results) complaints.push(...ofResult(result))
  }
  return complaints
}

/** Where a file differs from the schema of SARIF 2.1.0. */
function schemaErrors(log: Log): string[] {
  const requireTool = createRequire(realpathSync(TOOL))
  const Ajv = requireTool('ajv')
  const ajv = new Ajv({ schemaId: 'auto', allErrors: true, unknownFormats: 'ignore' })
  ajv.addMetaSchema(requireTool('ajv/lib/refs/json-schema-draft-04.json'))
  const isValid = ajv.validate(requireTool('./lib/schemas/sarif-2.1.0-rtm.5.json'), log)
  return isValid ? [] : [ajv.errorsText()]
}

function ofRule({ id, shortDescription, fullDescription, help }: Rule): string[] {
  const texts = { shortDescription, fullDescription, help }
  const missing = Object.entries(texts).filter(([, value]) => !value?.text)
  const complaints = missing.map(([name]) => `rule ${id} has no ${name}`)
  for (const description of [shortDescription, fullDescription])
    if ((description?.text?.length ?? 0) > LONGEST) complaints.push(`rule ${id} says too much`)
  return complaints
}

function ofResult({ message, partialFingerprints, locations = [] }: Result): string[] {
  const [location] = locations
  const { artifactLocation, region } = location?.physicalLocation ?? {}
  const complaints: string[] = []
  if (!message.text) complaints.push('a result has no message')
  if (!partialFingerprints) complaints.push('a result has no fingerprint')
  if (!artifactLocation?.uri) complaints.push('expected a physical location')
  if (!region?.startLine) complaints.push('a result has no line')
  return complaints
}
