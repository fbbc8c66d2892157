# Records calls while tests run: TRACE_ROOT=DIR TRACE_OUT=FILE RUBYOPT=-r/PATH/trace_calls.rb rspec
require 'json'
if ENV['TRACE_OUT']
  root = File.realpath(ENV['TRACE_ROOT']) + '/'
  calls = {}
  outside = {}
  own = lambda { |path| path && path.start_with?(root) ? path[root.length..] : nil }
  # Readers and writers that `attr_accessor` makes run as code of C, but know the line of their declaration.
  places = Hash.new do |known, (type, name)|
    known[[type, name]] = (type.instance_method(name).source_location rescue nil)
  end
  own_place = lambda do |point|
    path, line = places[[point.defined_class, point.method_id]]
    at = own.call(path)
    at && [at, line]
  end
  trace = TracePoint.new(:call, :c_call) do |point|
    if point.event == :c_call
      path = own.call(point.path)
      next unless path
      name = point.method_id.to_s
      place = own_place.call(point)
      if place
        calls[[path, point.lineno, *place, name]] = true
      else
        outside[[path, point.lineno, name]] = true
      end
    else
      caller = caller_locations(2, 1)&.first
      from = caller && own.call(caller.absolute_path || caller.path)
      if from
        at = own.call(point.path)
        if at
          calls[[from, caller.lineno, at, point.lineno, point.method_id.to_s]] = true
        else
          outside[[from, caller.lineno, point.method_id.to_s]] = true
        end
      end
    end
  end
  trace.enable
  at_exit do
    trace.disable
    File.write(ENV['TRACE_OUT'], JSON.generate({ calls: calls.keys, outside: outside.keys, tests: {} }))
  end
end
