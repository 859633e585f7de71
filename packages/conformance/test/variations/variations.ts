import { readFileSync } from 'node:fs'
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import { parse } from 'yaml'
import type { Service, Services } from '../services/wrap.ts'
import { access } from './access.ts'
import { qrCodes } from './qrcodes.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'
import { shapes } from './shapes.ts'
import { transfers } from './transfers.ts'
import { webhooks } from './webhooks.ts'

interface Row {
  readonly id: string
  /** One sentence: what the service does. */
  readonly says: string
  /** Questions whose assumption it contradicts. */
  readonly touches: readonly string[]
  /** Questions whose assumption mentions the difference. Their verdict is not judged. */
  readonly near?: readonly string[]
  /** Whether the contract calls the difference critical, so that it fails a run. Default: false. */
  readonly isCritical?: boolean
}

/**
 * A plausible service that differs from the contract in assumptions only. The checker must not
 * report a failure.
 */
export interface Variation extends Row {
  readonly service: Service
}

const services: Services = {
  ...responses,
  ...access,
  ...requests,
  ...shapes,
  ...qrCodes,
  ...transfers,
  ...webhooks,
}

const yaml = readFileSync(new URL('variations.yaml', import.meta.url), 'utf8')
const rows: readonly Row[] = parse(yaml)

export const variations: readonly Variation[] = Object.entries(services).map(([id, service]) => {
  const row = rows.find((described) => described.id === id)
  if (!row) throw new Error(`variations.yaml does not describe "${id}"`)
  const { touches, near = [] } = row
  const unknown = [...touches, ...near].find((question) => !(question in questions))
  if (unknown) throw new Error(`variation "${id}" names "${unknown}", which is no open question`)
  return { ...row, service }
})

const missing = rows.find(({ id }) => !(id in services))
if (missing) throw new Error(`variation "${missing.id}" has no service`)

/** The service of a variation, by its id. */
export function findService(id: string): Service {
  const variation = variations.find((each) => each.id === id)
  if (!variation) throw new Error(`there is no variation "${id}"`)
  return variation.service
}
