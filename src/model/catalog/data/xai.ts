// Made by scripts/catalog.mjs from published data: do not edit.
import type { CatalogRow } from '../row.ts';

export const rows: readonly CatalogRow[] = [
  {"id":"grok-2-1212","match":["grok-2-1212","grok-2","grok-2-latest"],"context":32768,"price":{"input":2,"output":10}},
  {"id":"grok-2-vision-1212","match":["grok-2-vision-1212","grok-2-vision","grok-2-vision-latest"],"context":32768,"price":{"input":2,"output":10}},
  {"id":"grok-3","match":["grok-3","grok-3-latest","grok-3-beta"],"context":131072,"price":{"input":3,"output":15,"cacheRead":0.75}},
  {"id":"grok-3-fast","match":["grok-3-fast","grok-3-fast-latest","grok-3-fast-beta"],"context":131072,"price":{"input":5,"output":25,"cacheRead":1.25}},
  {"id":"grok-3-mini","match":["grok-3-mini","grok-3-mini-beta","grok-3-mini-latest"],"context":131072,"price":{"input":0.3,"output":0.5,"cacheRead":0.075}},
  {"id":"grok-3-mini-fast","match":["grok-3-mini-fast","grok-3-mini-fast-beta","grok-3-mini-fast-latest"],"context":131072,"price":{"input":0.6,"output":4,"cacheRead":0.15}},
  {"id":"grok-4-0709","match":["grok-4-0709","grok-4","grok-4-latest"],"context":256000,"price":{"input":3,"output":15,"cacheRead":0.75}},
  {"id":"grok-4-1-fast-non-reasoning","match":["grok-4-1-fast-non-reasoning","grok-4-1-fast-non-reasoning-latest"],"context":2000000,"price":{"input":0.2,"output":0.5,"cacheRead":0.05}},
  {"id":"grok-4-1-fast-reasoning","match":["grok-4-1-fast","grok-4-1-fast-reasoning","grok-4-1-fast-reasoning-latest"],"context":2000000,"price":{"input":0.2,"output":0.5,"cacheRead":0.05}},
  {"id":"grok-4-fast-non-reasoning","match":["grok-4-fast-non-reasoning","grok-4-fast-non-reasoning-latest"],"context":2000000,"price":{"input":0.2,"output":0.5,"cacheRead":0.05}},
  {"id":"grok-4-fast-reasoning","match":["grok-4-fast","grok-4-fast-reasoning","grok-4-fast-reasoning-latest"],"context":2000000,"price":{"input":0.2,"output":0.5,"cacheRead":0.05}},
  {"id":"grok-4.20","context":1000000,"price":{"input":1.25,"output":2.5,"cacheRead":0.2,"long":{"above":199999,"input":2.5,"output":5,"cacheRead":0.4}}},
  {"id":"grok-4.20-multi-agent","context":1000000,"price":{"input":2,"output":6,"cacheRead":0.2}},
  {"id":"grok-4.3","match":["grok-4.3","/^grok-4\\.3-\\d{8}$/","x-ai/grok-4.3","/^x-ai/grok-4\\.3-\\d{8}$/","grok-4.3-latest"],"context":1000000,"output":30000,"tools":true,"price":{"input":1.25,"output":2.5,"cacheRead":0.2,"long":{"above":199999,"input":2.5,"output":5,"cacheRead":0.4}}},
  {"id":"grok-4.5","match":["grok-4.5","/^grok-4\\.5-\\d{8}$/","x-ai/grok-4.5","/^x-ai/grok-4\\.5-\\d{8}$/","grok-4.5-latest","grok-latest"],"context":500000,"output":500000,"tools":true,"price":{"input":2,"output":6,"cacheRead":0.3,"long":{"above":199999,"input":4,"output":12,"cacheRead":0.6}}},
  {"id":"grok-4.6","match":["grok-4.6","/^grok-4\\.6-\\d{8}$/","x-ai/grok-4.6","/^x-ai/grok-4\\.6-\\d{8}$/","grok-4.6-latest"],"context":500000,"output":500000,"tools":true,"price":{"input":2,"output":6,"cacheRead":0.5,"long":{"above":199999,"input":4,"output":12,"cacheRead":1}}},
  {"id":"grok-build-0.1","context":256000,"price":{"input":1,"output":2,"cacheRead":0.2,"long":{"above":199999,"input":2,"output":4,"cacheRead":0.4}}},
  {"id":"grok-code-fast-1","match":["grok-code-fast","grok-code-fast-1","grok-code-fast-1-0825"],"context":256000,"price":{"input":0.2,"output":1.5,"cacheRead":0.02}},
  {"id":"grok-voice-latest","other":true},
  {"id":"grok-voice-think-fast-1.0","other":true},
  {"id":"grok-voice-think-fast-2.0","other":true},
  {"id":"grok-4.7","context":500000,"output":500000,"tools":true,"price":{"input":2,"output":6,"cacheRead":0.5,"long":{"above":200000,"input":4,"output":12,"cacheRead":1}}},
];
