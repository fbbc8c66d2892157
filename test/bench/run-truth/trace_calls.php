<?php
// Makes a trace for run-truth of what Xdebug wrote: php -d auto_prepend_file=AUTOLOAD trace_calls.php ROOT TRACE.xt > trace.json
// Before: XDEBUG_MODE=trace php -d xdebug.start_with_request=yes -d xdebug.trace_format=1 -d xdebug.use_compression=0 phpunit …
[, $root, $trace] = $argv;
$root = realpath($root) . '/';
$own = fn($path) => is_string($path) && str_starts_with($path, $root) ? substr($path, strlen($root)) : null;
$calls = $outside = $places = [];
$place = function (string $function) use (&$places, $own) {
    if (array_key_exists($function, $places)) return $places[$function];
    $found = null;
    try {
        $parts = preg_split('/->|::/', $function);
        $reflected = count($parts) === 2 ? new ReflectionMethod($parts[0], $parts[1]) : new ReflectionFunction($function);
        $path = $own($reflected->getFileName());
        if ($path !== null) $found = [$path, $reflected->getStartLine(), $reflected->getShortName()];
    } catch (Throwable) {
    }
    return $places[$function] = $found;
};
$lines = fopen($trace, 'r');
while (($line = fgets($lines)) !== false) {
    $fields = explode("\t", $line, 11);
    if (count($fields) < 10 || $fields[2] !== '0') continue;
    $path = $own($fields[8]);
    $function = $fields[5];
    if ($path === null || str_contains($function, '{') || $fields[7] !== '') continue;
    $at = $place($function);
    $name = preg_replace('/^.*(?:->|::|\\\\)/', '', $function);
    if ($at === null) $outside["$path:$fields[9]:$name"] = [$path, (int) $fields[9], $name];
    else $calls["$path:$fields[9]:$function"] = [$path, (int) $fields[9], ...$at];
}
echo json_encode(['calls' => array_values($calls), 'outside' => array_values($outside), 'tests' => (object) []]);
