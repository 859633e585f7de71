import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readContract } from '@partner-payments/contract'
import { expect, it } from 'vitest'
import { buildSpec } from '../../build/build.ts'
import { copySpec } from '../broken.ts'

const withBroken = copySpec()

it('builds the files that the package exports', async () => {
  await withBroken([{ file: 'facts.yaml', pattern: '$', to: '\n' }], async (spec) => {
    const { problems, operations } = await buildSpec({ spec })
    expect(problems).toEqual([])
    const document = JSON.parse(readFileSync(join(spec, 'dist/openapi.json'), 'utf8'))
    expect(operations).toBe(readContract({ document, behaviour: {} }).operations.length)
    expect(readdirSync(join(spec, 'dist')).sort()).toEqual([
      'behaviour.d.ts',
      'behaviour.json',
      'facts.json',
      'guide.d.ts',
      'guide.json',
      'open-questions.json',
      'openapi.d.ts',
      'openapi.json',
      'openapi.yaml',
      'sources.json',
    ])
    expect(existsSync(join(spec, 'dist.next'))).toBe(false)
  })
})
