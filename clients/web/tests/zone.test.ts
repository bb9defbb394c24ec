import assert from 'node:assert/strict';
import { test } from 'node:test';

import { momentIn, shownIn } from '../src/parts/zone.ts';

test('a time is meant as it is read at the tournament, whatever the zone of the device', () => {
  for (const device of ['Europe/Bratislava', 'America/New_York', 'Asia/Kolkata']) {
    process.env.TZ = device;
    assert.equal(momentIn('Europe/Bratislava', '2030-05-04T09:00'), '2030-05-04T07:00:00.000Z');
    assert.equal(momentIn('Asia/Kolkata', '2030-05-04T09:00'), '2030-05-04T03:30:00.000Z');
    assert.equal(momentIn('America/New_York', '2030-01-04T23:15'), '2030-01-05T04:15:00.000Z');
    assert.equal(shownIn('Europe/Bratislava', '2030-05-04T22:00:00Z'), '2030-05-05T00:00');
  }
});

test('on the days when clocks are changed too', () => {
  const zone = 'Europe/Prague';
  assert.equal(momentIn(zone, '2030-03-31T01:59'), '2030-03-31T00:59:00.000Z');
  assert.equal(momentIn(zone, '2030-03-31T02:30'), '2030-03-31T01:30:00.000Z'); // half past three: no clock shows half past two
  assert.equal(momentIn(zone, '2030-03-31T03:00'), '2030-03-31T01:00:00.000Z');
  assert.equal(momentIn(zone, '2030-10-27T02:30'), '2030-10-27T00:30:00.000Z'); // the first of two
  assert.equal(momentIn(zone, '2030-10-27T03:00'), '2030-10-27T02:00:00.000Z');
});
