"""A ROS 2 bridge over the message board: ``python -m touchline_client.ros2`` (docs/ros2.md).

``convert`` makes messages' fields of readings, ``bridge`` says what is published when, ``simulation`` answers the standard
simulation services: these need no ROS. ``node`` puts them on rclpy.
"""
