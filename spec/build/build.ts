import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import type { NormalizedProblem } from '@redocly/openapi-core'
import { stringify } from 'yaml'
import { readFiles } from '../lint/check.ts'
import { lintSpec } from '../lint/lint-spec.ts'
import type { Node } from '../lint/marks.ts'
import { listOperations } from '../lint/operations.ts'
import { buildBehaviour, writeBehaviourTypes } from './behaviour.ts'
import { readSources } from './sources.ts'
import { writeTypes } from './types.ts'
import { withDescriptions } from './with-descriptions.ts'

/** The folder of the contract. */
export const SPEC = fileURLToPath(new URL('..', import.meta.url))

export interface Built {
  /** The problems of the contract with file and line; empty if it was built. */
  readonly problems: NormalizedProblem[]
  readonly operations: number
}

/**
 * Lints and bundles the contract and generates openapi.json, openapi.yaml, openapi.d.ts,
 * behaviour.json, behaviour.d.ts, guide.json, guide.d.ts, open-questions.json, facts.json and
 * sources.json. Leaves `out` unchanged if there are problems.
 */
export async function buildSpec({ spec = SPEC, out = join(spec, 'dist') } = {}): Promise<Built> {
  const { problems, operations, parts } = await checkSpec({ spec })
  if (!parts) return { problems, operations }

  const { openapi, guide, register, statements, behaviour } = parts
  await replaceFolder(out, {
    'openapi.json': json(openapi),
    'openapi.yaml': stringify(openapi, { aliasDuplicateObjects: false }),
    'openapi.d.ts': await writeTypes(openapi, register),
    'behaviour.json': json(buildBehaviour(behaviour, openapi)),
    'behaviour.d.ts': await writeBehaviourTypes(spec),
    'facts.json': json(statements),
    'guide.json': json(guide),
    'guide.d.ts': await writeTypes(guide, register),
    'open-questions.json': json(register),
    'sources.json': json(readSources(openapi, spec)),
  })
  return { problems, operations }
}

/**
 * Checks the contract, and reads all that the build writes. If there are problems, it returns them
 * without `parts`.
 */
export async function checkSpec({ spec = SPEC } = {}) {
  const { problems, contracts } = await lintSpec(spec)
  if (problems.length > 0 || !contracts) return { problems, operations: 0 }

  const { openapi, guide } = contracts
  // Another validator than that of the lint, which throws.
  await validate(openapi)
  const { register, facts, behaviour } = readFiles(spec)
  return {
    problems,
    operations: listOperations(openapi).length,
    parts: {
      openapi: withDescriptions(openapi, behaviour.entries, register.value),
      guide: withDescriptions(guide, behaviour.entries, register.value),
      register: register.value,
      statements: facts.value.statements,
      behaviour: behaviour.entries,
    },
  }
}

/** Validates the bundle with a second tool. Passes a copy, since the tool modifies its input. */
async function validate(contract: Node): Promise<void> {
  // Whether it is an OpenAPI document, as the type says, is what the tool finds out.
  const copy = structuredClone(contract) as unknown as Parameters<typeof SwaggerParser.validate>[0]
  await SwaggerParser.validate(copy)
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * Writes the new folder beside the old one and then swaps them, so that readers almost always see
 * one of them.
 */
async function replaceFolder(out: string, files: Readonly<Record<string, string>>): Promise<void> {
  const next = `${out}.next`
  await rm(next, { recursive: true, force: true })
  await mkdir(next, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(next, name), text)
  await rm(out, { recursive: true, force: true })
  await rename(next, out)
}
