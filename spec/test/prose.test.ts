import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { bundled } from '../build/check.ts'
import { ASSUMED, isNode, isOurs, MARK, marksOf } from '../lint/marks.ts'

/**
 * No rule can compare prose with the facts, so this snapshot shows reviewers each sentence once.
 */
it('the unmarked sentences match the snapshot', async () => {
  // The source descriptions, without the assumptions that the build adds.
  const { contract } = await bundled(SPEC, 'openapi')
  const guide = (await bundled(SPEC, 'guide')).contract
  const lines = [...proseIn(contract, ''), ...proseIn(guide, '').map((line) => `guide ${line}`)]
  const isShared = (line: string) => lines.includes(line.replace('guide ', ''))
  const own = lines.filter((line) => !line.startsWith('guide ') || !isShared(line))
  await expect(`${own.join('\n')}\n`).toMatchFileSnapshot('prose.txt')
})

function proseIn(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null || (isNode(value) && isOurs(value))) return []
  const ours = isNode(value) ? marksOf(value).map(({ keyword }) => keyword) : []
  return Object.entries(value).flatMap(([name, child]) => {
    if (name === 'examples' || name === MARK || name === ASSUMED || ours.includes(name)) return []
    const isProse = ['summary', 'description'].includes(name) && typeof child === 'string'
    return isProse ? [`${at} ${name}: ${child.trim()}`] : proseIn(child, `${at}/${name}`)
  })
}
