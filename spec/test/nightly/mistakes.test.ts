import { it } from 'vitest'
import { copySpec } from '../broken.ts'
import { expectReportedOnce, mistakes } from '../mistakes.ts'

const withBroken = copySpec()

it.each(mistakes)('reports once that $what', (mistake) => expectReportedOnce(mistake, withBroken))
