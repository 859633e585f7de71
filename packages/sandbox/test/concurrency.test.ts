import { describeRaces } from './concurrency.ts'

describeRaces(4, 60)
