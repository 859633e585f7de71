import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands, expectPrinted, folder, guide, run, service, useGuide } from '../guide.ts'

useGuide()

test.each(commands)('it prints what the guide shows for $command', expectPrinted)

test('it runs the job as documented, which writes the files of its later steps', async () => {
  const { jobs } = parse(/```yaml\n(.*?)```/s.exec(guide)?.[1] ?? '')
  const steps: readonly Step[] = jobs.check.steps
  const check = steps.find(({ name }) => name === 'check')
  const names = Object.keys(check?.env ?? {})
  expect(names).toEqual(['TARGET', 'CLIENT_KEY', 'CLIENT_SECRET', 'OTHER_KEY', 'OTHER_SECRET'])
  // Only a part, and without the rate limit, because this is not a staging service.
  const part = `${check?.run.trimEnd()} --only access,http-challenge`
  await run(`export GITHUB_STEP_SUMMARY=${folder}/summary.md\n${part}`)
  expect(read('summary.md')).toContain(`## ✅ ${service.url}`)
  const [upload] = steps.flatMap((step) => step.with?.sarif_file ?? [])
  expect(JSON.parse(read(upload ?? '')).version).toBe('2.1.0')
  expect(read('reports/check.xml')).toContain('<testsuites')
  expect(read('reports/verdicts.yaml')).toContain('auth-scheme:')
  const html = read('reports/check.html')
  expect(html).toContain('http-challenge')
  expect(html).not.toContain(Buffer.from('partner:secret').toString('base64'))
})

interface Step {
  readonly name?: string
  readonly env?: Readonly<Record<string, string>>
  readonly run: string
  readonly with?: { readonly sarif_file?: string }
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}
