"""What a client sees of the example `weather`, whatever the transport and era."""

import json
from collections.abc import Awaitable
from typing import Any

from mcp import Client, MCPError
from mcp.types import PromptReference, ResourceTemplateReference

FORECAST = {"region": "eu", "city": "Berlin", "days": 2, "unit": "fahrenheit"}
REPORTS = [
    {"city": "Berlin", "high": 51.8, "low": 37.4, "unit": "fahrenheit", "sky": "clear"},
    {"city": "Berlin", "high": 53.6, "low": 39.2, "unit": "fahrenheit", "sky": "cloudy"},
]


def equal(found: Any, expected: Any) -> None:
    assert found == expected, f"{found!r} is not {expected!r}"


def rounded(reports: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Temperatures are computed, so that their last digits are not fixed."""
    return [{**report, "high": round(report["high"], 1), "low": round(report["low"], 1)} for report in reports]


def reports_of(structured: Any, era: str) -> Any:
    """An array is wrapped where the revision wants an object."""
    return structured if era == "modern" else structured["result"]


async def refused(request: Awaitable[Any], code: int) -> None:
    try:
        answer = await request
    except MCPError as error:
        equal(error.code, code)
        return
    raise AssertionError(f"this was to be refused: {answer!r}")


async def check(client: Client, era: str) -> None:
    equal(client.server_info and client.server_info.name, "weather")
    equal(client.instructions, "Ask for forecasts by region and city.")
    capabilities = client.server_capabilities
    for capability in ("tools", "prompts", "resources", "completions"):
        assert getattr(capabilities, capability) is not None, f"the server does not declare {capability}"
    await lists(client)
    await tools(client, era)
    await resources(client, era)
    await prompts(client)


async def lists(client: Client) -> None:
    tools = (await client.list_tools()).tools
    equal([tool.name for tool in tools], ["forecast"])
    forecast = tools[0]
    equal(forecast.title, "Weather forecast")
    assert forecast.description and forecast.description.startswith("Forecast the weather of a city.")
    assert forecast.annotations and forecast.annotations.read_only_hint is True
    equal(forecast.input_schema["required"], ["region", "city"])
    assert forecast.output_schema, "the tool has no output schema"

    prompts = (await client.list_prompts()).prompts
    equal([prompt.name for prompt in prompts], ["what_to_wear"])
    arguments = [(argument.name, bool(argument.required)) for argument in prompts[0].arguments or []]
    equal(arguments, [("city", True), ("from", False)])

    listed = (await client.list_resources()).resources
    equal([(str(resource.uri), resource.mime_type) for resource in listed], [("weather://cities", "text/plain")])

    templates = (await client.list_resource_templates()).resource_templates
    equal(
        [(template.uri_template, template.mime_type) for template in templates],
        [("weather://history/{city}/{date}", "application/json")],
    )


async def tools(client: Client, era: str) -> None:
    progress = []

    async def told(value: float, total: float | None, message: str | None) -> None:
        progress.append((value, total, message))

    result = await client.call_tool("forecast", FORECAST, progress_callback=told)
    assert not result.is_error, result
    equal(rounded(reports_of(result.structured_content, era)), REPORTS)
    equal([block.type for block in result.content], ["text"])
    equal(rounded(json.loads(result.content[0].text)), REPORTS)
    equal(progress, [(0, 2, "day 1"), (1, 2, "day 2")])

    defaults = await client.call_tool("forecast", {"region": "eu", "city": "Lisbon"})
    report = {"city": "Lisbon", "high": 19, "low": 11, "unit": "celsius", "sky": "clear"}
    equal(reports_of(defaults.structured_content, era), [report])

    wrong = await client.call_tool("forecast", {**FORECAST, "days": 8, "unit": "kelvin"})
    assert wrong.is_error, wrong
    for argument in ("days", "unit"):
        assert argument in wrong.content[0].text, wrong.content[0].text

    unknown = await client.call_tool("forecast", {"region": "eu", "city": "Atlantis"})
    assert unknown.is_error, unknown
    equal(unknown.content[0].text, "no station reports for Atlantis; there are Berlin, Bergen, Lisbon")

    # Either era tells of a tool that does not exist by an error of the protocol.
    await refused(client.call_tool("no_such_tool", {}), -32602)


async def resources(client: Client, era: str) -> None:
    cities = (await client.read_resource("weather://cities")).contents
    equal([(str(it.uri), it.mime_type) for it in cities], [("weather://cities", "text/plain")])
    equal(cities[0].text, "Berlin\nBergen\nLisbon\nNairobi\nOsaka")

    uri = "weather://history/Berlin/2026-01-02"
    history = (await client.read_resource(uri)).contents
    equal([(str(it.uri), it.mime_type) for it in history], [(uri, "application/json")])
    equal(json.loads(history[0].text), {"city": "Berlin", "high": 13, "low": 5, "unit": "celsius", "sky": "rain"})

    not_found = -32602 if era == "modern" else -32002
    await refused(client.read_resource("weather://history/Atlantis/2026-01-02"), not_found)
    await refused(client.read_resource("weather://history/Berlin/yesterday"), -32602)


async def prompts(client: Client) -> None:
    prompt = await client.get_prompt("what_to_wear", {"city": "Lisbon", "from": "Bergen"})
    text = "I travel to Lisbon. I am used to the climate of Bergen. Look up the forecast and tell me what to wear."
    equal([(message.role, message.content.text) for message in prompt.messages], [("user", text)])
    await refused(client.get_prompt("what_to_wear", {}), -32602)

    city = {"name": "city", "value": "be"}
    completion = (await client.complete(PromptReference(name="what_to_wear"), city)).completion
    equal(completion.values, ["Berlin", "Bergen"])

    template = ResourceTemplateReference(uri="weather://history/{city}/{date}")
    completion = (await client.complete(template, {"name": "city", "value": "O"})).completion
    equal(completion.values, ["Osaka"])
