import { it } from 'vitest'
import { PROPERTIES } from '../hostile.ts'

it.each(PROPERTIES)('%s', (_, holds) => holds(6_000))
