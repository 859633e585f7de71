import { expect, it } from 'vitest'
import { resultOf } from '../../rules/over-http.ts'

it('reports a paid code that no list shows as a warning', async () => {
  const { findings } = await resultOf(['used-records'], 'paid-code-not-listed')
  expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toContain('used-records warning')
})
