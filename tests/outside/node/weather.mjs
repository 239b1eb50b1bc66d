// What a client sees of the example `weather`, whichever client and whatever transport.
import assert from 'node:assert/strict';

const FORECAST = { region: 'eu', city: 'Berlin', days: 2, unit: 'fahrenheit' };
const REPORTS = [
  { city: 'Berlin', high: 51.8, low: 37.4, unit: 'fahrenheit', sky: 'clear' },
  { city: 'Berlin', high: 53.6, low: 39.2, unit: 'fahrenheit', sky: 'cloudy' },
];

// Temperatures are computed, so that their last digits are not fixed.
function rounded(reports) {
  const tenth = degrees => Math.round(degrees * 10) / 10;
  return reports.map(report => ({ ...report, high: tenth(report.high), low: tenth(report.low) }));
}

/** An array is wrapped where the revision wants an object. */
function reportsOf(structured, era) {
  return era === 'modern' ? structured : structured.result;
}

/** Checks a connected client; `call(params, options)` calls a tool, and `errors` are those it told of so far. */
export async function check(client, era, call, errors) {
  assert.equal(client.getServerVersion().name, 'weather');
  assert.equal(client.getInstructions(), 'Ask for forecasts by region and city.');
  const capabilities = client.getServerCapabilities();
  for (const capability of ['tools', 'prompts', 'resources', 'completions']) {
    assert.ok(capabilities[capability], `the server does not declare ${capability}`);
  }

  await lists(client);
  await tools(era, call, errors);
  await resources(client);
  await prompts(client);
}

async function lists(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(tool => tool.name), ['forecast']);
  const [forecast] = tools;
  assert.equal(forecast.title, 'Weather forecast');
  assert.match(forecast.description, /^Forecast the weather of a city\./);
  assert.equal(forecast.annotations.readOnlyHint, true);
  assert.equal(forecast.annotations.openWorldHint, false);
  assert.deepEqual(forecast.inputSchema.required, ['region', 'city']);
  assert.deepEqual(Object.keys(forecast.inputSchema.properties).sort(), ['city', 'days', 'region', 'unit']);
  assert.ok(forecast.outputSchema, 'the tool has no output schema');

  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map(prompt => prompt.name), ['what_to_wear']);
  assert.deepEqual(prompts[0].arguments.map(({ name, required }) => [name, required ?? false]), [
    ['city', true],
    ['from', false],
  ]);

  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri, mimeType }) => [uri, mimeType]), [['weather://cities', 'text/plain']]);

  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map(({ uriTemplate, mimeType }) => [uriTemplate, mimeType]), [
    ['weather://history/{city}/{date}', 'application/json'],
  ]);
}

/**
 * Takes progress from the errors. Where the answer comes in one piece with what came before it, these clients take
 * it first, forget who wants to know of progress, and call the progress before it an error.
 */
function late(errors) {
  const lead = 'Received a progress notification for an unknown token: ';
  const of = error => (error.message.startsWith(lead) ? JSON.parse(error.message.slice(lead.length)) : undefined);
  const progress = errors.map(of).filter(notification => notification !== undefined);
  errors.splice(0, errors.length, ...errors.filter(error => of(error) === undefined));
  return progress.map(({ params: { progressToken, ...told } }) => told);
}

async function tools(era, call, errors) {
  const progress = [];
  const result = await call({ name: 'forecast', arguments: FORECAST }, { onprogress: told => progress.push(told) });
  assert.ok(!result.isError, JSON.stringify(result));
  assert.deepEqual(rounded(reportsOf(result.structuredContent, era)), REPORTS);
  assert.deepEqual(result.content.map(block => block.type), ['text']);
  assert.deepEqual(rounded(JSON.parse(result.content[0].text)), REPORTS);
  assert.deepEqual([...progress, ...late(errors)], [
    { progress: 0, total: 2, message: 'day 1' },
    { progress: 1, total: 2, message: 'day 2' },
  ]);

  const defaults = await call({ name: 'forecast', arguments: { region: 'eu', city: 'Lisbon' } });
  const [report] = reportsOf(defaults.structuredContent, era);
  assert.deepEqual(report, { city: 'Lisbon', high: 19, low: 11, unit: 'celsius', sky: 'clear' });

  const wrong = await call({ name: 'forecast', arguments: { ...FORECAST, days: 8, unit: 'kelvin' } });
  assert.equal(wrong.isError, true, JSON.stringify(wrong));
  assert.match(wrong.content[0].text, /days/);
  assert.match(wrong.content[0].text, /unit/);

  const unknown = await call({ name: 'forecast', arguments: { region: 'eu', city: 'Atlantis' } });
  assert.equal(unknown.isError, true, JSON.stringify(unknown));
  assert.equal(unknown.content[0].text, 'no station reports for Atlantis; there are Berlin, Bergen, Lisbon');

  // Either era tells of a tool that does not exist by an error of the protocol.
  await assert.rejects(call({ name: 'no_such_tool', arguments: {} }), { code: -32602 });
}

async function resources(client) {
  const cities = await client.readResource({ uri: 'weather://cities' });
  assert.deepEqual(cities.contents, [
    { uri: 'weather://cities', mimeType: 'text/plain', text: 'Berlin\nBergen\nLisbon\nNairobi\nOsaka' },
  ]);

  const uri = 'weather://history/Berlin/2026-01-02';
  const history = await client.readResource({ uri });
  assert.equal(history.contents.length, 1);
  const [{ text, ...about }] = history.contents;
  assert.deepEqual(about, { uri, mimeType: 'application/json' });
  assert.deepEqual(JSON.parse(text), { city: 'Berlin', high: 13, low: 5, unit: 'celsius', sky: 'rain' });

  // The eras have codes of their own for it, and some clients turn the older one into the newer.
  const notFound = error => [-32002, -32602].includes(error.code) && /Atlantis/.test(error.message);
  await assert.rejects(client.readResource({ uri: 'weather://history/Atlantis/2026-01-02' }), notFound);
  await assert.rejects(client.readResource({ uri: 'weather://history/Berlin/yesterday' }), { code: -32602 });
}

async function prompts(client) {
  const prompt = await client.getPrompt({ name: 'what_to_wear', arguments: { city: 'Lisbon', from: 'Bergen' } });
  const text = 'I travel to Lisbon. I am used to the climate of Bergen. Look up the forecast and tell me what to wear.';
  assert.deepEqual(prompt.messages, [{ role: 'user', content: { type: 'text', text } }]);
  await assert.rejects(client.getPrompt({ name: 'what_to_wear', arguments: {} }), { code: -32602 });

  const ref = { type: 'ref/prompt', name: 'what_to_wear' };
  const { completion } = await client.complete({ ref, argument: { name: 'city', value: 'be' } });
  assert.deepEqual(completion.values, ['Berlin', 'Bergen']);

  const template = { type: 'ref/resource', uri: 'weather://history/{city}/{date}' };
  const more = await client.complete({ ref: template, argument: { name: 'city', value: 'O' } });
  assert.deepEqual(more.completion.values, ['Osaka']);
}
