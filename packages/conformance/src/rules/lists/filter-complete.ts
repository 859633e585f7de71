import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import type { Exchange } from '../../transport/exchange.ts'
import { type Filtered, valueIn, withFilters } from '../records/filters.ts'
import { anyStep, doStep, isOf, listIn } from '../records/records.ts'
import { PARTIAL, wholeList } from '../records/whole-list.ts'

export const filterComplete: Law = {
  id: 'filter-complete',
  phase: 'data',
  question: 'paging',
  stateful: true,
  title: 'A filter lists every record that has the value.',
  advice: 'Filter before the page is cut, by the value as it is written.',
  run: (scene) =>
    withFilters(scene, async (filtered) => {
      const { name, value, exchange } = filtered
      await isListed(scene, filtered, { value, exchange, about: name })
      await onceEnded(scene, filtered)
    }),
}

interface Asked {
  readonly value: string
  readonly exchange: Exchange
  readonly about: string
}

async function isListed(scene: Scene, filtered: Filtered, { value, exchange, about }: Asked): Promise<void> {
  const { name, created, resource } = filtered
  const step = anyStep(resource)
  if (!step) return scene.masked()
  const has = (listed: readonly unknown[]) => listed.some(isOf(step, created))
  if (has(listIn(exchange.body))) return scene.held()
  const whole = await wholeList(scene, resource.list, { [name]: value })
  if (whole && has(whole.items)) return scene.held()
  if (!whole?.isWhole) return scene.masked(PARTIAL)
  scene.expect(exchange, `Expected the record that has this ${name}, and it is not listed.`, { about })
}

/** What a record becomes when it is ended is a value to be filtered by as well. */
async function onceEnded(scene: Scene, filtered: Filtered): Promise<void> {
  const { name, value, created, resource } = filtered
  const { list, cancel } = resource
  const ended = cancel && (await doStep(scene, cancel, created))
  const next = ended && isSuccess(ended) ? valueIn(ended.body, name) : undefined
  if (next === undefined || next === value) return
  const exchange = await scene.send(list, { query: { [name]: next } })
  if (!isSuccess(exchange)) return scene.masked()
  await isListed(scene, filtered, { value: next, exchange, about: `${name} ended` })
}
